// A file's whole content, through the guard.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "tools/outcome.h"
#include "tools/text_form.h"
#include "tools/tool.h"

namespace cordon::tools {

// Largest file that is taken in as a whole, to be edited or told.
inline constexpr std::size_t kMaxWholeFile = 64u << 20;

struct LoadedFile {
  std::string bytes;
  Digest digest{};
  std::shared_ptr<void> share = {};  // of the memory there is
};
// A file's share before it is read, with what is made of it. Null where nobody asks.
Result<std::shared_ptr<void>> ReserveFor(const Context& context, const confine::File& file);
// Errors: those of Guard::OpenRead; kTooLarge.
Result<LoadedFile> LoadFile(Context& context, std::string_view path);

// The content's name in results and `if_match`: the SHA-256 in hexadecimal digits.
std::string EtagOf(const Digest& digest);
// Of `if_match`, quotes as in HTTP allowed. Errors: kInvalidArguments.
Result<Digest> ParseEtag(std::string_view text);
// What `if_match` asks for, if it was given.
Result<std::optional<Digest>> IfMatch(const Arguments& arguments);
// Errors: kStaleFile, with the etag there is.
Attempt<void> CheckIfMatch(const std::optional<Digest>& wanted, const Digest& found);

}  // namespace cordon::tools
