#include "tools/patch/patch.h"

namespace cordon::tools {
namespace {

Status CheckCount(std::size_t count, std::size_t most, std::string_view what) {
  if (count <= most) return {};
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.op = "patch";
  error.detail = "line 1 of the patch: it has more than " + std::to_string(most) + " " +
                 std::string(what) + "; split it";
  return error;
}

}  // namespace

Error PatchError(std::size_t patch_line, std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "patch";
  error.detail = "line " + std::to_string(patch_line) + " of the patch: " + std::string(what);
  return error;
}

Status PatchCount::AddFile() { return CheckCount(++files_, kMaxPatchFiles, "files"); }
Status PatchCount::AddHunk() { return CheckCount(++hunks_, kMaxPatchHunks, "hunks"); }

}  // namespace cordon::tools
