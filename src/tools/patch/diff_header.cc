#include "tools/patch/diff_header.h"

#include <tuple>

#include "tools/patch/git_names.h"

namespace cordon::tools {

Result<FilePatch> NameFile(const DiffHeader& header) {
  FilePatch file;
  file.patch_line = header.patch_line;
  std::string old_name, new_name;
  if (header.old_name) {
    old_name = *header.old_name;
    new_name = *header.new_name;
  } else if (header.git_names) {
    std::tie(old_name, new_name) = *header.git_names;
    DropPrefixes(old_name, new_name);
    if (header.is_new) old_name = kNoFile;
    if (header.is_deleted) new_name = kNoFile;
  }
  if (header.rename_from && header.rename_to) {
    const bool fits =
        !header.old_name || (old_name == *header.rename_from && new_name == *header.rename_to);
    if (!fits) return PatchError(file.patch_line, "the names of this file contradict each other");
    file.path = *header.rename_from;
    file.move_to = header.rename_to;
  } else if (header.rename_from || header.rename_to) {
    return PatchError(file.patch_line, "a rename needs both \"rename from\" and \"rename to\"");
  } else if (old_name.empty() || new_name.empty()) {
    return PatchError(file.patch_line, "the file's name cannot be told");
  } else if (old_name == kNoFile) {
    file.action = FilePatch::Action::kAdd;
    file.path = new_name;
  } else if (new_name == kNoFile) {
    file.action = FilePatch::Action::kDelete;
    file.path = old_name;
  } else if (old_name != new_name) {
    return PatchError(file.patch_line,
                      "the two names of this file differ; a rename needs "
                      "\"rename from\" and \"rename to\"");
  } else {
    file.path = new_name;
  }
  if (file.path == kNoFile) return PatchError(file.patch_line, "both names are /dev/null");
  if (file.action != FilePatch::Action::kDelete) file.runnable = header.runnable;
  if (file.action == FilePatch::Action::kUpdate && header.runnable == header.was_runnable) {
    file.runnable.reset();
  }
  const bool contradicts = (header.is_new && file.action != FilePatch::Action::kAdd) ||
                           (header.is_deleted && file.action != FilePatch::Action::kDelete);
  if (contradicts) return PatchError(file.patch_line, "the file's header contradicts its names");
  return file;
}

}  // namespace cordon::tools
