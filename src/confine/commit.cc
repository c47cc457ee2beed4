// Replacement::Commit: taking the name, and from whom.
#include <cerrno>
#include <utility>

#include "base/try.h"
#include "confine/aside.h"
#include "confine/expected_check.h"
#include "confine/replacement.h"
#include "platform/directory.h"
#include "platform/file_io.h"

namespace cordon::confine {

Status Replacement::Commit() {
  if (elsewhere_) return elsewhere_->Commit();
  if (temporary_.empty()) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "commit";
    error.detail = "the replacement was already committed";
    return error;
  }
  TRY(platform::SyncFile(file_.get()));
  if (expected_.presence == Presence::kAbsent) return TakeFreeName();
  if (!expected_.any() || expected_.content) return TakeExpectedName();
  TRY(platform::RenameEntry(directory_.get(), temporary_.c_str(), directory_.get(), name_.c_str()));
  temporary_.clear();
  return {};
}

Status Replacement::TakeFreeName() {
  const int directory = directory_.get();
  auto taken = platform::RenameNoReplace(directory, temporary_.c_str(), directory, name_.c_str());
  if (taken) {
    temporary_.clear();
    return {};
  }
  if (LacksRenameFlags(taken.error())) {
    taken = platform::LinkEntry(directory, temporary_.c_str(), directory, name_.c_str());
    if (taken) {
      Discard();  // of the first of its two names
      return {};
    }
    if (taken.error().os_errno != EEXIST) return RenameFlagsUnsupported(std::move(taken.error()));
  }
  if (taken.error().os_errno != EEXIST) return std::move(taken.error());
  return StaleError(name_, "something has come to a name that was free when it was agreed to");
}

// Whether `name` holds what the new content may replace.
Status Replacement::CheckExpected(const std::string& name) const {
  const bool certain = expected_.presence == Presence::kPresent;
  Status right;
  if (expected_.content) {
    right = CheckContent(directory_.get(), name.c_str(), certain ? &expected_.object : nullptr,
                         *expected_.content, previous_.size);
  } else {
    auto found = platform::StatEntry(directory_.get(), name.c_str());
    right = found ? CheckObject(expected_, *found) : Status(std::move(found.error()));
  }
  if (right || right.error().os_errno != ENOENT) return right;
  return StaleError(name_, "what was agreed to is no longer there");
}

Status Replacement::TakeExpectedName() {
  const int directory = directory_.get();
  // Once before anything moves, so that in peace nobody sees a name change twice.
  TRY(CheckExpected(name_));
  TRY_ASSIGN(const platform::FileStat own, platform::StatDescriptor(file_.get()));
  auto taken = platform::ExchangeEntries(directory, temporary_.c_str(), directory, name_.c_str());
  if (!taken) {
    if (LacksRenameFlags(taken.error())) {
      if (without_exchange_ == Lacking::kRefuse) {
        return RenameFlagsUnsupported(std::move(taken.error()));
      }
      TRY(CheckExpected(name_));
      TRY(platform::RenameEntry(directory, temporary_.c_str(), directory, name_.c_str()));
      temporary_.clear();
      return {};
    }
    if (taken.error().os_errno != ENOENT) return std::move(taken.error());
    return StaleError(name_, "what was agreed to is no longer there");
  }
  // What came out is the one that was replaced, whatever the name held before.
  Status replaced = CheckExpected(temporary_);
  if (replaced) replaced = platform::RemoveFile(directory, temporary_.c_str());
  if (replaced) {
    temporary_.clear();
    return {};
  }
  Undone undone = ExchangeBack({directory, temporary_, directory, name_}, own.identity, patience_,
                               std::move(replaced.error()));
  if (!undone.own_is_aside) temporary_.clear();  // it is not ours to remove any more
  return std::move(undone.why);
}

}  // namespace cordon::confine
