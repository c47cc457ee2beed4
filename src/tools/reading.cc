#include "tools/reading.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "base/try.h"
#include "tools/loaded_file.h"

namespace cordon::tools {
namespace {

constexpr std::size_t kSniffed = 8192;
constexpr std::size_t kPiece = 1u << 20;

Error TooLarge(std::uint64_t size, std::string_view limit) {
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "read";
  error.detail = "the file has " + std::to_string(size) + " bytes, more than " + std::string(limit);
  return error;
}

// Where lines begin, roughly, and what the whole hashes to.
struct Survey {
  Digest digest{};
  std::int64_t lines = 0;
  std::vector<std::int64_t> lines_before;  // each piece
  TextForm form;
};

// By blocks, of which compilers make vector instructions: lines are short, and to look for the
// next one takes longer.
std::int64_t CountNewlines(std::string_view text) {
  constexpr std::size_t kBlock = 64;
  std::int64_t count = 0;
  for (; text.size() >= kBlock; text.remove_prefix(kBlock)) {
    unsigned char ends = 0;
    for (std::size_t i = 0; i < kBlock; ++i) ends += static_cast<unsigned char>(text[i] == '\n');
    count += ends;
  }
  return count + std::count(text.begin(), text.end(), '\n');
}

Result<std::size_t> ReadPiece(const confine::File& file, std::uint64_t offset,
                              std::string& buffer) {
  buffer.resize(kPiece);
  std::size_t filled = 0;
  while (filled < kPiece) {
    TRY_ASSIGN(const std::size_t got,
               file.ReadAt(offset + filled, {buffer.data() + filled, kPiece - filled}));
    if (got == 0) break;
    filled += got;
  }
  buffer.resize(filled);
  return filled;
}

Error Stopped() {
  Error error;
  error.code = ErrorCode::kTimeout;
  error.op = "read";
  error.detail = "the call was cancelled";
  return error;
}

Result<Survey> SurveyFile(const Context& context, const confine::File& file) {
  Survey survey;
  Sha256Stream hash;
  std::string buffer;
  char last = '\n';
  for (std::uint64_t offset = 0;; offset += buffer.size()) {
    if (context.call.stop.stop_requested()) return Stopped();
    TRY_ASSIGN(const std::size_t got, ReadPiece(file, offset, buffer));
    if (got == 0) break;
    if (offset > kMaxReadFile) return TooLarge(offset, "4 GiB");
    hash.Add(buffer);
    survey.lines_before.push_back(survey.lines);
    survey.lines += CountNewlines(buffer);
    last = buffer.back();
    if (offset == 0) survey.form.ends = LineEndsOf(buffer);
  }
  if (last != '\n') ++survey.lines;
  survey.digest = hash.Finish();
  return survey;
}

// [first, last] of a text of `total` lines.
Result<std::pair<std::int64_t, std::int64_t>> RangeOf(const ReadRequest& request,
                                                      std::int64_t total) {
  const std::int64_t first =
      request.first < 0 ? std::max<std::int64_t>(1, total + request.first + 1) : request.first;
  const std::int64_t asked = request.last.value_or(total);
  const std::int64_t last = asked < 0 ? total + asked + 1 : std::min(asked, total);
  if (first > std::max<std::int64_t>(total, 1) || (request.last && asked >= 0 && asked < first)) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "read";
    error.detail = first > total ? "the file has only " + std::to_string(total) + " lines"
                                 : "the range ends before it begins";
    return error;
  }
  return std::pair(first, last);
}

ReadText TextOf(LineWindow& window, std::int64_t first, std::int64_t total, const TextForm& form) {
  window.Finish();
  return {window.content(), first, window.last_line(), total, window.cut_lines(),
          window.stopped(), form};
}

// Whether no limit can leave anything out of a text of which every line is asked for.
bool FitsAsItIs(const ReadRequest& request, std::int64_t lines, std::size_t size) {
  return request.numbers == LineNumbers::kNone && lines <= request.limits.lines &&
         size <= std::min(request.limits.line_characters, request.limits.characters);
}

Result<ReadText> FromMemory(const ReadRequest& request, std::string_view bytes) {
  TRY_ASSIGN(DecodedText decoded, DecodeText(bytes, request.encoding));
  const std::string& text = decoded.text;
  const bool open_end = !text.empty() && text.back() != '\n';
  const std::int64_t total = CountNewlines(text) + (open_end ? 1 : 0);
  TRY_ASSIGN(const auto range, RangeOf(request, total));
  if (range == std::pair<std::int64_t, std::int64_t>(1, total) &&
      FitsAsItIs(request, total, text.size())) {
    return ReadText{std::move(decoded.text), 1, total, total, 0, false, decoded.form};
  }
  LineWindow window(range.first, range.second, 1, request.limits, request.numbers);
  window.Feed(text);
  return TextOf(window, range.first, total, decoded.form);
}

bool IsForBytes(const ReadRequest& request, std::string_view beginning) {
  return request.as == ReadRequest::As::kBytes ||
         (request.as == ReadRequest::As::kWhatItIs && LooksBinary(beginning));
}

Result<ReadResult> FromBytes(const ReadRequest& request, std::string_view bytes) {
  const std::string_view beginning = bytes.substr(0, kSniffed);
  ReadResult result;
  result.size = bytes.size();
  if (request.digests == ReadRequest::Digests::kMade) result.digest = Sha256(bytes);
  if (!IsForBytes(request, beginning)) {
    auto text = FromMemory(request, bytes);
    if (text) {
      result.text = std::move(*text);
      return result;
    }
    const bool settled = request.as == ReadRequest::As::kText ||
                         text.error().code != ErrorCode::kNotText || bytes.size() > kMaxAttachment;
    if (settled) return std::move(text.error());
  }
  result.mime_type = MimeTypeOf(beginning);
  result.bytes = bytes;
  return result;
}

// A text too large to be held: UTF-8, or what passes for it.
Result<ReadText> FromPieces(const confine::File& file, const ReadRequest& request,
                            const Survey& survey) {
  TRY_ASSIGN(const auto range, RangeOf(request, survey.lines));
  const auto& before = survey.lines_before;
  // The last piece that begins before the line does: it may begin within a line.
  const auto behind = std::lower_bound(before.begin(), before.end(), range.first - 1);
  auto piece = static_cast<std::size_t>(behind - before.begin());
  if (piece > 0) --piece;
  LineWindow window(range.first, range.second, before.empty() ? 1 : before[piece] + 1,
                    request.limits, request.numbers);
  std::string buffer;
  while (true) {
    TRY_ASSIGN(const std::size_t got, ReadPiece(file, piece * kPiece, buffer));
    if (got == 0 || window.Feed(buffer) == LineWindow::More::kNotWanted) break;
    ++piece;
  }
  return TextOf(window, range.first, survey.lines, survey.form);
}

}  // namespace

WindowLimits WholeLimits(std::int64_t lines) {
  const WindowLimits usual;
  WindowLimits whole{std::numeric_limits<std::int64_t>::max(), kMaxWholeTold, kMaxWholeTold};
  if (lines < usual.lines) whole.lines = lines;
  return whole;
}

Status CheckWhole(const ReadText& text) {
  if (!text.stopped && text.cut_lines == 0) return {};
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "read";
  error.detail = "this is more than 10 MiB; ask for a range of lines";
  return error;
}

Result<ReadResult> ReadRange(Context& context, const ReadRequest& request) {
  TRY_ASSIGN(confine::File file, context.guard.OpenRead(context.call, request.path));
  std::array<char, kSniffed> room;  // not cleared, and nothing is allocated for most files
  TRY_ASSIGN(const std::size_t sniffed, file.ReadAt(0, room));
  const std::string_view beginning(room.data(), sniffed);
  if (sniffed < kSniffed) return FromBytes(request, beginning);  // all there is
  TRY_ASSIGN(const platform::FileStat stat, file.Stat());
  if (stat.size > kMaxReadFile) return TooLarge(stat.size, "4 GiB");
  if (IsForBytes(request, beginning) && stat.size > kMaxAttachment)
    return TooLarge(stat.size, "10 MiB, and is not text");
  if (stat.size > kMaxWholeFile) {
    if (request.encoding && *request.encoding != Encoding::kUtf8) {
      return TooLarge(stat.size, "64 MiB, which only UTF-8 can have");
    }
    TRY_ASSIGN(const Survey survey, SurveyFile(context, file));
    ReadResult result;
    result.size = stat.size;
    result.digest = survey.digest;
    TRY_ASSIGN(result.text, FromPieces(file, request, survey));
    return result;
  }
  TRY_ASSIGN(const std::shared_ptr<void> share, ReserveFor(context, file));
  TRY_ASSIGN(const std::string bytes, file.ReadAll(kMaxWholeFile));
  return FromBytes(request, bytes);
}

}  // namespace cordon::tools
