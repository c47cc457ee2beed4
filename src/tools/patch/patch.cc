#include "tools/patch/patch.h"

namespace cordon::tools {

Error PatchError(std::size_t patch_line, std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "patch";
  error.detail = "line " + std::to_string(patch_line) + " of the patch: " + std::string(what);
  return error;
}

Status CheckPatchLimits(const Patch& patch) {
  std::size_t hunks = 0;
  for (const FilePatch& file : patch.files) hunks += file.hunks.size();
  if (patch.files.size() <= kMaxPatchFiles && hunks <= kMaxPatchHunks) return {};
  Error error =
      PatchError(1, "a patch has at most " + std::to_string(kMaxPatchFiles) + " files and " +
                        std::to_string(kMaxPatchHunks) + " hunks; split it");
  error.code = ErrorCode::kLimitExceeded;
  return error;
}

}  // namespace cordon::tools
