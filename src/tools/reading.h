// Reading a range of lines of a file, for the tools that tell contents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "tools/line_window.h"
#include "tools/outcome.h"
#include "tools/text_form.h"
#include "tools/tool.h"

namespace cordon::tools {

// Largest file that is read at all, largest that is told as bytes.
inline constexpr std::uint64_t kMaxReadFile = 4ull << 30;
inline constexpr std::uint64_t kMaxAttachment = 10u << 20;

// Told at once when all of it is asked for.
inline constexpr std::size_t kMaxWholeTold = 10u << 20;

inline constexpr Field kWholeField{
    "whole", FieldType::kFlag, Need::kOptional,
    "All of the range, or an error if it is more than 10 MiB: nothing is cut."};

struct ReadRequest {
  std::string_view path;
  std::int64_t first = 1;  // negative: counted from the end
  std::optional<std::int64_t> last;
  WindowLimits limits;
  LineNumbers numbers = LineNumbers::kNone;
  enum class As { kWhatItIs, kText, kBytes };
  As as = As::kWhatItIs;
  std::optional<Encoding> encoding;  // of kText
  enum class Digests { kMade, kNone };
  Digests digests = Digests::kMade;
};

struct ReadText {
  std::string content;
  std::int64_t first = 1, last = 0, total = 0;
  std::int64_t cut_lines = 0;
  bool stopped = false;  // by a limit, before the last line that was asked for
  TextForm form;
};

struct ReadResult {
  std::uint64_t size = 0;
  Digest digest{};               // if it was asked for
  std::optional<ReadText> text;  // if it was told as text
  std::string mime_type;         // if not
  std::string bytes;
};

// For what must not be cut; `lines` only if fewer are asked for than the usual limit.
WindowLimits WholeLimits(std::int64_t lines);
// Errors: kTooLarge if a limit has left something out.
Status CheckWhole(const ReadText& text);

// Errors: those of Guard::OpenRead; kTooLarge; kNotText; kInvalidArguments for a range
//   that begins behind the end.
Result<ReadResult> ReadRange(Context& context, const ReadRequest& request);

}  // namespace cordon::tools
