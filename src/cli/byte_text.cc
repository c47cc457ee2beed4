#include "cli/byte_text.h"

#include "base/percent.h"
#include "base/unicode.h"

namespace cordon::cli {

bool IsUtf8(std::string_view bytes) { return unicode::IsValidUtf8(bytes); }

std::string PercentEncode(std::string_view bytes) { return cordon::PercentEncode(bytes); }

Result<std::string> PercentDecode(std::string_view text) {
  Result<std::string> bytes = cordon::PercentDecode(text);
  if (!bytes) {
    Error error = std::move(bytes.error());
    error.op = "arguments";
    error.detail = "--percent: " + error.detail + "; a percent sign itself is written %25";
    return error;
  }
  return bytes;
}

}  // namespace cordon::cli
