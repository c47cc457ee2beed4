// Command lines of any bytes: they are always explained, in time, and what is not known is
// never without risk.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "shell/explain.h"

namespace {

using cordon::shell::Exactness;
using cordon::shell::Explanation;
using cordon::shell::Risk;

[[noreturn]] void Broken(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view command(reinterpret_cast<const char*>(data), size);
  const Explanation explanation = cordon::shell::Explain(command);
  Risk gravest = Risk::kLow;
  for (const auto& reason : explanation.reasons) {
    gravest = std::max(gravest, reason.risk);
    if (reason.code.empty() || reason.text.empty()) Broken("a reason without words");
  }
  if (explanation.risk != gravest) Broken("the risk is not the gravest reason's");
  if (!explanation.unknown.empty() && gravest == Risk::kLow) Broken("unknown, and no risk");
  for (const auto& use : explanation.files) {
    if (use.path.empty() || use.by.empty()) Broken("a file without a name");
    if (use.exactness != Exactness::kExact && explanation.unknown.empty()) Broken("not told");
  }
  return 0;
}
