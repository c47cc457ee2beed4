#include "confine/expected_move.h"

#include <cerrno>
#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "platform/directory.h"

namespace cordon::confine {
namespace {

using platform::FileStat;
using platform::FileType;

}  // namespace

ExpectedMove::ExpectedMove(const RootState& root, const Place& from, const Place& to,
                           const FileStat& moved, const Expected& expected_from,
                           const Expected& expected_to)
    : from_(from),
      to_(to),
      moved_(moved),
      expected_from_(expected_from),
      expected_to_(expected_to),
      patience_(root.options.race_deadline),
      without_exchange_(root.options.without_exchange) {}

Status ExpectedMove::Run() {
  TRY_ASSIGN(const bool same, IsSameFile());
  if (same) return {};  // as rename does
  aside_ = from_.name;
  if (!expected_from_.any()) {
    aside_ = TemporaryNameFor(expected_from_);
    Status taken = TakeAside(from_, aside_, moved_.identity, patience_);
    if (!taken && LooksFirst(taken.error())) {
      aside_ = from_.name;
      TRY_ASSIGN(const FileStat still, platform::StatEntry(from_.directory.get(), aside_.c_str()));
      TRY(CheckObject(expected_from_, still));
    } else if (!taken) {
      return taken;
    }
  }
  return expected_to_.presence == Presence::kPresent ? TakeNewNameFromExpected() : TakeNewName();
}

bool ExpectedMove::LooksFirst(const Error& error) const {
  return without_exchange_ == RootOptions::WithoutExchange::kLookFirst && LacksRenameFlags(error);
}

// Looks at the new name before anything moves.
Result<bool> ExpectedMove::IsSameFile() const {
  auto there = platform::StatEntry(to_.directory.get(), to_.name.c_str());
  if (!there) {
    if (there.error().os_errno != ENOENT) return std::move(there.error());
    if (expected_to_.presence != Presence::kPresent) return false;
    return StaleError(to_.name, "what was agreed to is no longer there");
  }
  TRY(CheckObject(expected_to_, *there));
  if (there->identity == moved_.identity) return true;
  const bool moves_directory = moved_.type == FileType::kDirectory;
  const bool over_directory = there->type == FileType::kDirectory;
  if (moves_directory && !over_directory) return NotADirectoryError(to_.name);
  if (!moves_directory && over_directory) return IsADirectoryError();
  return false;
}

Status ExpectedMove::TakeNewName() {
  const int source = from_.directory.get();
  const int target = to_.directory.get();
  if (expected_to_.presence == Presence::kAbsent) {
    auto moved = MoveToFreeName(source, aside_, target, to_.name);
    if (moved) return {};
    if (moved.error().os_errno != EEXIST) return BackToOldName(std::move(moved.error()));
    return BackToOldName(
        StaleError(to_.name, "something has come to a name that was free when it was agreed to"));
  }
  auto moved = platform::RenameEntry(source, aside_.c_str(), target, to_.name.c_str());
  if (!moved) return BackToOldName(std::move(moved.error()));
  // Between two names of one file, rename does nothing.
  const auto left = platform::StatEntry(source, aside_.c_str());
  if (!left) return {};
  return BackToOldName(StaleError(to_.name, "the two names have become one file's"));
}

Status ExpectedMove::TakeNewNameFromExpected() {
  const int source = from_.directory.get();
  const int target = to_.directory.get();
  auto exchanged = platform::ExchangeEntries(source, aside_.c_str(), target, to_.name.c_str());
  if (!exchanged) {
    Error& error = exchanged.error();
    if (LooksFirst(error)) return TakeLookedAt();
    if (error.os_errno == ENOENT) {
      error = StaleError(to_.name, "what was agreed to is no longer there");
    } else if (LacksRenameFlags(error) && moved_.type != FileType::kDirectory) {
      error = RenameFlagsUnsupported(std::move(error));
    }
    return BackToOldName(std::move(error));
  }
  Status removed = RemoveReplaced();
  if (removed) return removed;
  Undone undone = ExchangeBack({source, aside_, target, to_.name}, moved_.identity, patience_,
                               std::move(removed.error()));
  if (!undone.own_is_aside) return std::move(undone.why);
  return BackToOldName(std::move(undone.why));
}

// Where nothing can be exchanged: what is there was looked at before, and is once more.
Status ExpectedMove::TakeLookedAt() {
  const Result<bool> same = IsSameFile();
  if (!same) return BackToOldName(same.error());
  Status moved = platform::RenameEntry(from_.directory.get(), aside_.c_str(), to_.directory.get(),
                                       to_.name.c_str());
  return moved ? moved : Status(BackToOldName(std::move(moved.error())));
}

// What the exchange brought out.
Status ExpectedMove::RemoveReplaced() const {
  TRY_ASSIGN(const FileStat replaced, platform::StatEntry(from_.directory.get(), aside_.c_str()));
  TRY(CheckObject(expected_to_, replaced));
  if (expected_to_.content) {
    TRY(CheckContent(from_.directory.get(), aside_.c_str(), &expected_to_.object,
                     *expected_to_.content, replaced.size));
  }
  return RemoveAside(from_, aside_, replaced.type);
}

Error ExpectedMove::BackToOldName(Error why) const {
  if (aside_ == from_.name) return why;  // it never left
  return PutBack(from_, aside_, patience_, std::move(why));
}

}  // namespace cordon::confine
