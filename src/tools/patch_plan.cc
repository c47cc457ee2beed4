#include "tools/patch_plan.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "tools/diff.h"
#include "tools/edit_failure.h"
#include "tools/loaded_file.h"
#include "tools/targets.h"
#include "tools/text_form.h"

namespace cordon::tools {
namespace {

using Action = FilePatch::Action;

// The path without what only spells it differently, as far as its text tells.
std::string Plain(std::string_view path) {
  std::vector<std::string_view> parts;
  const bool absolute = path.starts_with('/');
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string plain = absolute ? "/" : "";
  for (const std::string_view part : parts) plain.append(part).append("/");
  return plain;
}

Error NamedTwice(const FilePatch& file) {
  return PatchError(file.patch_line,
                    "the patch names this file twice; put all changes of a file into one part, "
                    "and replace a file by an update");
}

Attempt<void> CheckNames(const Patch& patch) {
  std::set<std::string> names;
  for (const FilePatch& file : patch.files) {
    for (const std::string* name : {&file.path, file.move_to ? &*file.move_to : nullptr}) {
      if (name == nullptr || names.insert(Plain(*name)).second) continue;
      return At(NamedTwice(file), *name);
    }
  }
  return {};
}

class Planner {
 public:
  explicit Planner(Context& context) : context_(context) {}

  Attempt<PlannedFile> Plan(const FilePatch& file) {
    PlannedFile planned;
    planned.action = file.action;
    planned.path = file.path;
    planned.move_to = file.move_to;
    if (file.action == Action::kAdd) {
      TRY(PlanAdd(file, planned));
    } else {
      TRY(Load(file, planned));
      TRY(file.action == Action::kDelete ? PlanDelete(file, planned) : PlanUpdate(file, planned));
    }
    bytes_ += planned.old_bytes.size() + planned.new_bytes.size();
    if (bytes_ > kMaxPatchedBytes) {
      return EditFailure(ErrorCode::kTooLarge, "the patch's files have more than " +
                                                   std::to_string(kMaxPatchedBytes) +
                                                   " bytes together; split the patch");
    }
    return planned;
  }

 private:
  // Not even a link that leads nowhere may be at the name.
  Status CheckFree(std::string_view path) {
    const auto there =
        context_.guard.Stat(context_.Looking(), path, confine::FinalSymlink::kNoFollow);
    if (!there) {
      if (there.error().code == ErrorCode::kNotFound) return {};
      return there.error();
    }
    Error error;
    error.code = ErrorCode::kAlreadyExists;
    error.op = "apply_patch";
    error.detail = "something is there already; update it instead of adding it";
    return error;
  }

  Attempt<void> PlanAdd(const FilePatch& file, PlannedFile& planned) {
    TRY(CheckFree(file.path));
    planned.new_bytes = file.content;
    planned.new_digest = Sha256(planned.new_bytes);
    if (file.runnable == true) planned.mode = 0755;
    planned.diff = UnifiedDiff("", file.content, "/dev/null", file.path);
    return {};
  }

  Attempt<void> Load(const FilePatch& file, PlannedFile& planned) {
    TRY_ASSIGN(LoadedFile loaded, LoadFile(context_, file.path));
    planned.old_bytes = std::move(loaded.bytes);
    planned.old_digest = loaded.digest;
    // What is deleted or moved is the name itself, which a link would be.
    const bool by_name = file.action == Action::kDelete || file.move_to.has_value();
    const auto look = by_name ? confine::FinalSymlink::kNoFollow : confine::FinalSymlink::kFollow;
    TRY_ASSIGN(const platform::FileStat stat,
               context_.guard.Stat(context_.Looking(), file.path, look));
    planned.old_mode = stat.mode;
    if (stat.type == platform::FileType::kRegular) {
      const platform::FileIdentity& own = stat.identity;
      if (!files_.emplace(own.device, own.inode).second) return NamedTwice(file);
      return {};
    }
    Error error;
    error.code = ErrorCode::kNotARegularFile;
    error.op = "apply_patch";
    error.detail = "a patch can only delete and move regular files";
    return error;
  }

  // The file's text with its hunks made.
  Attempt<void> MakeHunks(const FilePatch& file, PlannedFile& planned) {
    TRY_ASSIGN(const DecodedText decoded, DecodeText(planned.old_bytes));
    TRY_ASSIGN(PatchedText patched, ApplyHunks(decoded.text, file.hunks));
    TRY_ASSIGN(planned.new_bytes, EncodeText(patched.text, decoded.form));
    if (file.action == Action::kDelete && patched.text.empty()) planned.new_bytes.clear();
    planned.hunks = std::move(patched.hunks);
    planned.diff = UnifiedDiff(decoded.text, patched.text, file.path, planned.place());
    return {};
  }

  Attempt<void> PlanDelete(const FilePatch& file, PlannedFile& planned) {
    if (!file.hunks.empty()) {
      TRY(MakeHunks(file, planned));
      if (!planned.new_bytes.empty()) {
        return EditFailure(ErrorCode::kNoMatch,
                           "the file has more than what the patch says to delete");
      }
      planned.hunks.clear();
    }
    const auto decoded = DecodeText(planned.old_bytes);
    planned.diff =
        UnifiedDiff(decoded ? decoded->text : planned.old_bytes, "", file.path, "/dev/null");
    return {};
  }

  Attempt<void> PlanUpdate(const FilePatch& file, PlannedFile& planned) {
    if (file.move_to) {
      if (Status free = CheckFree(*file.move_to); !free) {
        return At(std::move(free.error()), *file.move_to);
      }
    }
    if (file.hunks.empty()) {
      planned.new_bytes = planned.old_bytes;
    } else {
      TRY(MakeHunks(file, planned));
    }
    if (planned.new_bytes.size() > kMaxWholeFile) {
      return EditFailure(ErrorCode::kTooLarge, "the file would become larger than " +
                                                   std::to_string(kMaxWholeFile) + " bytes");
    }
    planned.new_digest = Sha256(planned.new_bytes);
    if (file.runnable) {
      // Whoever may read it may run it, or nobody.
      const std::uint32_t mode = *file.runnable
                                     ? planned.old_mode | (planned.old_mode & 0444U) >> 2U
                                     : planned.old_mode & ~0111U;
      if (mode != planned.old_mode) planned.mode = mode & 0777U;
    }
    if (planned.rewrites() || file.move_to) return {};
    return EditFailure(ErrorCode::kInvalidArguments, "the patch would not change this file");
  }

  Context& context_;
  std::size_t bytes_ = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> files_;  // by device and inode
};

}  // namespace

Attempt<std::vector<PlannedFile>> PlanPatch(Context& context, const Patch& patch) {
  TRY(CheckNames(patch));
  Planner planner(context);
  std::vector<PlannedFile> files;
  for (const FilePatch& file : patch.files) {
    Attempt<PlannedFile> planned = planner.Plan(file);
    if (!planned) {
      Failure failure = std::move(planned.error());
      if (failure.requested.empty()) failure.requested = file.path;
      return failure;
    }
    files.push_back(std::move(*planned));
  }
  return files;
}

}  // namespace cordon::tools
