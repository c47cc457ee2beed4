#include "tools/patch_changes.h"

#include <boost/json/array.hpp>
#include <functional>
#include <utility>

#include "base/printable.h"
#include "base/reversed.h"
#include "base/try.h"
#include "tools/parents.h"
#include "tools/result_object.h"
#include "tools/targets.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;
using Action = FilePatch::Action;

class Changes {
 public:
  explicit Changes(Context& context)
      : context_(context), deletion_(context.call), back_(context.call) {
    // Deleting is asked about as such, whatever tool does it.
    deletion_.kind = policy::ToolKind::kDelete;
    // Once begun, a change is taken back even if nobody waits for it any more.
    back_.stop = {};
  }

  Attempt<void> Make(const PlannedFile& file) {
    switch (file.action) {
      case Action::kAdd: return Add(file);
      case Action::kDelete: return Delete(file);
      case Action::kUpdate: break;
    }
    if (file.move_to) TRY(Move(file));
    if (file.rewrites()) TRY(Rewrite(file));
    return {};
  }

  // In reverse; says in `failure` what it could not do.
  void TakeBack(Failure& failure) {
    json::array taken, left;
    for (const Step& step : Reversed(steps_)) {
      const Status undone = step.undo();
      // It was never done, or somebody has made it something else, which stays.
      const bool never = step.certainty == Certainty::kUnknown && !undone &&
                         (undone.error().code == ErrorCode::kStaleFile ||
                          undone.error().code == ErrorCode::kNotFound ||
                          undone.error().code == ErrorCode::kAlreadyExists);
      if (never) continue;
      json::object entry;
      AddPath(entry, "path", step.path);
      if (undone) {
        taken.emplace_back(Printable(step.path));
        continue;
      }
      entry["why"] = Printable(undone.error().Message(step.path));
      left.push_back(std::move(entry));
    }
    if (taken.empty() && left.empty()) return;
    failure.error.detail += left.empty() ? "; all changes of the patch were taken back"
                                         : "; some changes of the patch could not be taken back";
    if (!left.empty()) {
      failure.advice =
          "The patch failed in the middle, and not all of it could be taken back: see "
          "\"not_taken_back\". Look at those files and tell the user.";
    }
    failure.data["taken_back"] = std::move(taken);
    if (!left.empty()) failure.data["not_taken_back"] = std::move(left);
  }

 private:
  enum class Certainty { kDone, kUnknown };
  struct Step {
    std::string path;
    std::function<Status()> undo;
    Certainty certainty = Certainty::kDone;
  };

  // Notes what was done, or may have been.
  Attempt<void> Note(Status done, const std::string& path, std::function<Status()> undo) {
    const bool unknown = !done && MayHaveBeenDone(done.error());
    if (done || unknown) {
      steps_.push_back({path, std::move(undo), unknown ? Certainty::kUnknown : Certainty::kDone});
    }
    if (done) return {};
    return At(std::move(done.error()), path);
  }

  Attempt<void> Add(const PlannedFile& file) {
    guard::WriteOptions options;
    options.existing = guard::WriteOptions::Existing::kRefuse;
    options.mode = file.mode;
    options.preview = file.diff;
    return Note(context_.guard.Write(context_.call, file.path, file.new_bytes, options), file.path,
                [this, &file] {
                  guard::RemoveOptions removal;
                  removal.based_on = file.new_digest;
                  return context_.guard.Remove(back_, file.path, removal);
                });
  }

  Attempt<void> Move(const PlannedFile& file) {
    guard::RenameOptions options;
    options.existing = guard::RenameOptions::Existing::kRefuse;
    return Note(context_.guard.Rename(context_.call, file.path, *file.move_to, options), file.path,
                [this, &file, options] {
                  return context_.guard.Rename(back_, *file.move_to, file.path, options);
                });
  }

  Attempt<void> Rewrite(const PlannedFile& file) {
    guard::WriteOptions options;
    options.based_on = file.old_digest;
    options.mode = file.mode;
    options.preview = file.diff;
    return Note(context_.guard.Write(context_.call, file.place(), file.new_bytes, options),
                file.place(), [this, &file] {
                  guard::WriteOptions old;
                  old.based_on = file.new_digest;
                  if (file.mode) old.mode = file.old_mode & 0777U;
                  return context_.guard.Write(back_, file.place(), file.old_bytes, old);
                });
  }

  Attempt<void> Delete(const PlannedFile& file) {
    guard::RemoveOptions options;
    options.based_on = file.old_digest;
    options.preview = file.diff;
    return Note(context_.guard.Remove(deletion_, file.path, options), file.path, [this, &file] {
      guard::WriteOptions old;
      old.existing = guard::WriteOptions::Existing::kRefuse;
      old.mode = file.old_mode & 0777U;
      return context_.guard.Write(back_, file.path, file.old_bytes, old);
    });
  }

  Context& context_;
  guard::Call deletion_, back_;
  std::vector<Step> steps_;
};

}  // namespace

Attempt<std::vector<std::string>> MakeChanges(Context& context,
                                              std::span<const PlannedFile> files) {
  MadeParents parents(context);  // the last to go, when its files are gone
  Changes changes(context);
  const auto make = [&](const PlannedFile& file) -> Attempt<void> {
    if (file.action == Action::kAdd || file.move_to) {
      if (Status made = parents.Make(file.place()); !made) {
        return At(std::move(made.error()), file.place());
      }
    }
    return changes.Make(file);
  };
  for (const bool deleting : {false, true}) {
    for (const PlannedFile& file : files) {
      if ((file.action == Action::kDelete) != deleting) continue;
      if (Attempt<void> made = make(file); !made) {
        Failure failure = std::move(made.error());
        changes.TakeBack(failure);
        return failure;
      }
    }
  }
  std::vector<std::string> directories = parents.made();
  parents.Keep();
  return directories;
}

}  // namespace cordon::tools
