#include "cli/percent_argument.h"

#include "base/percent.h"

namespace cordon::cli {

Result<std::string> PercentArgument(std::string_view text) {
  Result<std::string> bytes = PercentDecode(text);
  if (!bytes) {
    Error error = std::move(bytes.error());
    error.op = "arguments";
    error.detail = "--percent: " + error.detail + "; a percent sign itself is written %25";
    return error;
  }
  return bytes;
}

}  // namespace cordon::cli
