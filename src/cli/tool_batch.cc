#include "cli/tool_batch.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <istream>
#include <ostream>
#include <string>

#include "base/base64.h"
#include "cli/batch_line.h"
#include "cli/json_output.h"
#include "tools/result_object.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

json::object Refusal(const Error& error) {
  json::object answer;
  answer["success"] = false;
  answer["error"] = ErrorObject(error);
  return answer;
}

json::object Called(const tools::Menu& menu, guard::Guard& guard, const json::object& call) {
  const json::value* const tool = call.if_contains("tool");
  const json::value* const arguments = call.if_contains("arguments");
  if (tool == nullptr || !tool->is_string()) {
    return Refusal(UsageError("\"tool\" must be given, as a string"));
  }
  if (arguments != nullptr && !arguments->is_object()) {
    return Refusal(UsageError("\"arguments\" must be an object"));
  }
  return ServedObject(menu.Call(tool->as_string(),
                                arguments == nullptr ? json::object() : arguments->as_object(),
                                guard, {}));
}

json::object Answer(const tools::Menu& menu, guard::Guard& guard, const std::string& line) {
  json::error_code failed;
  const json::value value = json::parse(line, failed);
  if (failed || !value.is_object()) return Refusal(UsageError("the line is not a JSON object"));
  const json::object& call = value.as_object();
  json::object answer = Called(menu, guard, call);
  if (const json::value* const id = call.if_contains("id")) answer["id"] = *id;
  return answer;
}

}  // namespace

json::object ServedObject(tools::Served served) {
  json::array attachments;
  if (served.outcome) {
    for (const tools::Attachment& attachment : served.outcome->attachments) {
      attachments.push_back(
          {{"mimeType", attachment.mime_type}, {"data", Base64Encode(attachment.bytes)}});
    }
  }
  json::object object = tools::ResultObject(std::move(served.outcome));
  object["text"] = served.text;
  if (!attachments.empty()) object["attachments"] = std::move(attachments);
  return object;
}

ExitStatus RunToolBatch(const tools::Menu& menu, guard::Guard& guard, std::istream& in,
                        std::ostream& out) {
  std::string line;
  for (BatchLine read = ReadBatchLine(in, line); read != BatchLine::kEnd;
       read = ReadBatchLine(in, line)) {
    if (read == BatchLine::kTooLong) {
      // Where the next call would begin is not known any more.
      return ReportSetupError(UsageError("a call is longer than 256 MiB"), OutputFormat::kJson);
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    out << Serialize(Answer(menu, guard, line)) << '\n' << std::flush;
    if (!out) return ExitStatus::kCannotEnforce;  // nobody is listening any more
  }
  return ExitStatus::kDone;
}

}  // namespace cordon::cli
