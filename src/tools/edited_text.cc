#include "tools/edited_text.h"

#include "base/try.h"
#include "tools/diff.h"

namespace cordon::tools {

Attempt<OpenedText> OpenText(Context& context, std::string_view path,
                             const std::optional<Digest>& if_match) {
  TRY_ASSIGN(const LoadedFile loaded, LoadFile(context, path));
  TRY(CheckIfMatch(if_match, loaded.digest));
  OpenedText opened;
  opened.path = path;
  opened.digest = loaded.digest;
  TRY_ASSIGN(opened.text, DecodeText(loaded.bytes));
  return opened;
}

Result<StoredText> StoreText(Context& context, const OpenedText& opened, std::string_view text,
                             Trial trial, std::size_t context_lines) {
  TRY_ASSIGN(const std::string bytes, EncodeText(text, opened.text.form));
  StoredText stored;
  stored.diff = UnifiedDiff(opened.text.text, text, opened.path, opened.path, context_lines);
  stored.digest = Sha256(bytes);
  if (trial == Trial::kOnlyShow) return stored;
  guard::WriteOptions options;
  options.based_on = opened.digest;
  options.preview = stored.diff;
  TRY(context.guard.Write(context.call, opened.path, bytes, options));
  return stored;
}

}  // namespace cordon::tools
