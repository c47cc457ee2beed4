#include "confine/aside.h"

#include <cerrno>
#include <thread>
#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "platform/directory.h"

namespace cordon::confine {
namespace {

using Clock = std::chrono::steady_clock;
using platform::FileIdentity;
using platform::FileType;

Error LeftAside(Error why, const std::string& aside) {
  KeepName(aside);
  why.detail += "; what was there could not be put back and is now called \"" + aside +
                "\" in the same directory";
  // Whoever tries again after a race must not lose what was said here.
  if (why.rule == "expected") why.rule = "left-aside";
  return why;
}

}  // namespace

bool LacksRenameFlags(const Error& error) {
  return error.os_errno == EINVAL || error.os_errno == ENOSYS || error.os_errno == EOPNOTSUPP;
}

Error RenameFlagsUnsupported(Error error) {
  error.code = ErrorCode::kUnsupported;
  error.detail = "this file system cannot make sure that only what was agreed to is touched";
  return error;
}

Status MoveToFreeName(int from, const std::string& name, int to, const std::string& new_name) {
  Status moved = platform::RenameNoReplace(from, name.c_str(), to, new_name.c_str());
  if (moved || !LacksRenameFlags(moved.error())) return moved;
  TRY_ASSIGN(const platform::FileStat stat, platform::StatEntry(from, name.c_str()));
  if (stat.type == FileType::kDirectory) {
    constexpr std::uint32_t kOwnerOnly = 0700;
    TRY(platform::MakeDirectory(to, new_name.c_str(), kOwnerOnly));
    Status renamed = platform::RenameEntry(from, name.c_str(), to, new_name.c_str());
    if (!renamed) static_cast<void>(platform::RemoveDirectory(to, new_name.c_str()));
    return renamed;
  }
  const Status linked = platform::LinkEntry(from, name.c_str(), to, new_name.c_str());
  if (linked) return platform::RemoveFile(from, name.c_str());
  return linked.error().os_errno == EEXIST ? linked : moved;
}

Status TakeAside(const Place& place, const std::string& aside, const FileIdentity& object,
                 Patience patience) {
  const int directory = place.directory.get();
  const char* name = place.name.c_str();
  auto taken = platform::RenameNoReplace(directory, name, directory, aside.c_str());
  if (!taken) {
    // EXDEV: overlays do not rename directories of a lower layer.
    if (LacksRenameFlags(taken.error()) || taken.error().os_errno == EXDEV) {
      return RenameFlagsUnsupported(std::move(taken.error()));
    }
    if (taken.error().os_errno != ENOENT) return std::move(taken.error());
    return StaleError(place.name, "what was agreed to is no longer there");
  }
  auto found = platform::StatEntry(directory, aside.c_str());
  if (!found) return PutBack(place, aside, patience, std::move(found.error()));
  if (found->identity == object) return {};
  return PutBack(
      place, aside, patience,
      StaleError(place.name, "the name leads to another object than the one that was agreed to"));
}

Error PutBack(const Place& place, const std::string& aside, Patience patience, Error why) {
  const auto deadline = Clock::now() + patience;
  const int directory = place.directory.get();
  while (true) {
    const auto moved =
        platform::RenameNoReplace(directory, aside.c_str(), directory, place.name.c_str());
    if (moved) return why;
    if (moved.error().os_errno != EEXIST || Clock::now() >= deadline) return LeftAside(why, aside);
    std::this_thread::yield();
  }
}

Status RemoveAside(const Place& place, const std::string& aside, FileType type) {
  return type == FileType::kDirectory
             ? platform::RemoveDirectory(place.directory.get(), aside.c_str())
             : platform::RemoveFile(place.directory.get(), aside.c_str());
}

Undone ExchangeBack(const Exchange& exchange, const FileIdentity& own, Patience patience,
                    Error why) {
  const auto deadline = Clock::now() + patience;
  const char* aside = exchange.aside.c_str();
  const char* name = exchange.name.c_str();
  while (true) {
    const auto there = platform::StatEntry(exchange.directory, name);
    if (there && there->identity == own) {
      const auto swapped =
          platform::ExchangeEntries(exchange.aside_directory, aside, exchange.directory, name);
      const auto here = platform::StatEntry(exchange.aside_directory, aside);
      if (swapped && here && here->identity == own) return {std::move(why), true};
    } else if (!there && there.error().os_errno == ENOENT) {
      // Someone took away what the exchange had put there: the name is free.
      const auto moved =
          platform::RenameNoReplace(exchange.aside_directory, aside, exchange.directory, name);
      if (moved) return {std::move(why), false};
    }
    // Something else has the name: it is not ours to move.
    if (Clock::now() >= deadline) return {LeftAside(std::move(why), exchange.aside), false};
    std::this_thread::yield();
  }
}

}  // namespace cordon::confine
