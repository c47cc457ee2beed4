#include "tools/tool.h"

#include <exception>
#include <memory>

#include "base/try.h"

namespace cordon::tools {

Outcome Run(const Tool& tool, guard::Guard& guard, const boost::json::object& arguments,
            const CallOptions& options) {
  try {
    TRY_ASSIGN(const Arguments checked, Arguments::Parse(tool.input, arguments));
    Context context{guard,
                    {tool.name, tool.kind, options.stop},
                    options.progress,
                    options.wanted,
                    options.reserve,
                    options.memory};
    context.call.client = options.client;
    // What one call changes is undone together.
    if (tool.effect != Effect::kNone) context.call.together = std::make_shared<undo::Together>();
    Outcome outcome = tool.run(context, checked);
    if (!outcome && outcome.error().requested.empty()) {
      outcome.error().requested = checked.Text("path");
    }
    return outcome;
  } catch (const std::exception& failure) {  // memory, and what libraries throw for it
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.op = tool.name;
    error.detail = failure.what();
    return error;
  }
}

}  // namespace cordon::tools
