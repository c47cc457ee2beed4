#include "tools/loaded_file.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/try.h"

namespace cordon::tools {

Result<std::shared_ptr<void>> ReserveFor(const Context& context, const confine::File& file) {
  constexpr std::uint64_t kCopies = 2;
  if (!context.reserve) return std::shared_ptr<void>();
  TRY_ASSIGN(const platform::FileStat stat, file.Stat());
  return context.reserve(std::min<std::uint64_t>(stat.size, kMaxWholeFile) * kCopies);
}

Result<LoadedFile> LoadFile(Context& context, std::string_view path) {
  TRY_ASSIGN(confine::File file, context.guard.OpenRead(context.Looking(), path));
  LoadedFile loaded;
  TRY_ASSIGN(loaded.share, ReserveFor(context, file));
  TRY_ASSIGN(loaded.bytes, file.ReadAll(kMaxWholeFile));
  loaded.digest = Sha256(loaded.bytes);
  return loaded;
}

std::string EtagOf(const Digest& digest) { return ToHex(digest); }

Result<Digest> ParseEtag(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  const auto digest = FromHex(text);
  if (digest) return *digest;
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "if_match";
  error.component = "if_match";
  error.detail = "\"if_match\" must be an etag as a read gives it: 64 hexadecimal digits";
  return error;
}

Result<std::optional<Digest>> IfMatch(const Arguments& arguments) {
  if (!arguments.Has("if_match")) return std::optional<Digest>();
  TRY_ASSIGN(const Digest digest, ParseEtag(arguments.Text("if_match")));
  return std::optional<Digest>(digest);
}

Attempt<void> CheckIfMatch(const std::optional<Digest>& wanted, const Digest& found) {
  if (!wanted || *wanted == found) return {};
  Error error;
  error.code = ErrorCode::kStaleFile;
  error.op = "if_match";
  error.detail = "the file's content is not what \"if_match\" names";
  Failure failure(std::move(error));
  failure.data["etag"] = EtagOf(found);
  return failure;
}

}  // namespace cordon::tools
