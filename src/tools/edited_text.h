// A text file on its way from what was read to what shall be there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/diff.h"
#include "tools/loaded_file.h"
#include "tools/outcome.h"
#include "tools/text_form.h"
#include "tools/tool.h"

namespace cordon::tools {

struct OpenedText {
  std::string path;
  Digest digest{};  // of the bytes
  DecodedText text;
};

// Errors: those of LoadFile; kStaleFile if `if_match` names another content; kNotText.
Attempt<OpenedText> OpenText(Context& context, std::string_view path,
                             const std::optional<Digest>& if_match);

enum class Trial { kWrite, kOnlyShow };

struct StoredText {
  std::string diff;  // unified
  Digest digest{};   // of the new bytes
};

// Writes the new text in the old one's form, only if the file still holds what was read.
// A person who is asked sees the diff.
// Errors: kStaleFile; kNotText if the file's encoding cannot hold it.
Result<StoredText> StoreText(Context& context, const OpenedText& opened, std::string_view text,
                             Trial trial = Trial::kWrite, std::size_t context_lines = kDiffContext);

}  // namespace cordon::tools
