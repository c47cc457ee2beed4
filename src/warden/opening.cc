// Opening: found, judged and opened by the warden, and put into the process.
#include <cerrno>
#include <utility>

#include "platform/link.h"
#include "warden/case.h"
#include "warden/git_paths.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::FileType;
using platform::Looked;
using platform::OpenWish;
using platform::SyscallListener;
using platform::UniqueFd;
using FinalLink = platform::NamedPath::FinalLink;

constexpr int kTries = 16;                   // while others change the tree
constexpr std::uint64_t kOnlyCached = 0x20;  // RESOLVE_CACHED: may always answer EAGAIN

bool Changes(const OpenWish& wish) { return wish.write || wish.truncate || wish.temporary; }

}  // namespace

Operation Case::OperationOf(const OpenWish& wish, FileType type) const {
  if (Changes(wish)) return Operation::kWrite;
  if (wish.reference) return Operation::kStat;
  return type == FileType::kDirectory ? Operation::kList : Operation::kRead;
}

void Case::Do(const OpenWish& wish) {
  if ((wish.resolve & kOnlyCached) != 0) return Fail(EAGAIN);
  Origin origin = hand_.resolver.Begin(thread_, wish.path, wish.resolve);
  if (origin.os_errno != 0) return Fail(origin.os_errno);
  if (OpensSystemFile(wish, origin)) return;
  // "name/" cannot be made by opening it, whatever is there.
  if (wish.create && origin.text.ends_with('/')) return OpenNew(wish, std::move(origin));
  Found found = hand_.resolver.Find(thread_, origin, wish.path.final_link, wish.resolve);
  const bool missing = found.os_errno == ENOENT && found.refused.empty();
  if (missing && wish.create) return OpenNew(wish, std::move(origin));
  OpenFound(wish, std::move(found));
}

void Case::OpenFound(const OpenWish& wish, Found found) {
  const Operation operation = OperationOf(wish, found.type);
  if (found.os_errno != 0 || !found.refused.empty()) {
    if (found.refused.empty() && !hand_.judge.IsQuiet(found.place)) {
      return OpenOutside(wish, found.place, -1);
    }
    (void)IsThere(operation, found);
    return;
  }
  if (wish.exclusive) return Fail(EEXIST);
  if (found.type == FileType::kSymlink && !wish.reference) return Fail(ELOOP);
  if (wish.directory && found.type != FileType::kDirectory) return Fail(ENOTDIR);
  if (wish.create && found.type == FileType::kDirectory) return Fail(EISDIR);
  if (!OpenAllowed(wish, found)) return;
  if (wish.temporary) return OpenTemporary(wish, found);
  if (wish.reference) return GiveOpened(wish, {std::move(found.object), 0});
  switch (found.type) {
    case FileType::kRegular:
    case FileType::kDirectory:
      return GiveOpened(wish,
                        hand_.acts.Reopen(found.object.get(), wish, ActForProcess::Wait::kAsAsked));
    case FileType::kFifo: return GiveWaiting(wish, std::move(found));
    default: break;
  }
  if (ActForProcess::IsTerminalOfProcess(found.object.get())) return OpenTerminal(wish);
  Looked opened = hand_.acts.Reopen(found.object.get(), wish, ActForProcess::Wait::kNever);
  if (opened.os_errno == 0 && !wish.non_blocking) ActForProcess::ClearNonBlocking(opened.fd.get());
  GiveOpened(wish, std::move(opened));
}

// Whether the object may be opened like that; if not, that was answered or is being asked.
bool Case::OpenAllowed(const OpenWish& wish, const Found& found) {
  const bool only_names = found.type == FileType::kDirectory && !Changes(wish);
  const Operation operation = OperationOf(wish, found.type);
  Judgement judged = hand_.resolver.Judged(found.real, operation);
  if (!judged.refused() && wish.read && operation != Operation::kList &&
      operation != Operation::kRead) {
    judged = hand_.resolver.Judged(found.real, Operation::kRead);
  }
  if (judged.rule == "outside") {
    // Names of entries are left to the kernel, and the way to a place can be seen.
    if (only_names && (wish.reference || hand_.spec.listing == sandbox::Listing::kKernelAlone ||
                       hand_.judge.LeadsToPlaces(found.real))) {
      return true;
    }
    OpenOutside(wish, found.real, found.own_descriptor);
    return false;
  }
  if (judged.refused()) {
    Refuse(operation, found.real, judged.rule);
    return false;
  }
  if (!Changes(wish) || wish.temporary || hand_.spec.git == sandbox::GitRules::kNone) return true;
  const GitPart part = PartOf(found.real);
  if (part == GitPart::kRepository || part == GitPart::kRedirect) {
    const std::string holder = found.real.substr(0, found.real.rfind('/'));
    const auto directory = hand_.acts.LookUp(hand_.resolver.root(), holder.c_str(),
                                             FinalLink::kTake, ActForProcess::NoLinks());
    if (directory.os_errno != 0) {
      Fail(directory.os_errno);
      return false;
    }
    return !OpensGitFile(wish, found.real, directory.fd.get());
  }
  return GitLetsMake(found.real);
}

void Case::OpenNew(const OpenWish& wish, Origin origin) {
  for (int tried = 0; tried < kTries; ++tried) {
    const Spot spot = hand_.resolver.FindSpot(thread_, origin, wish.resolve);
    if (spot.os_errno != 0 || !spot.refused.empty()) {
      if (spot.refused.empty() && !hand_.judge.IsQuiet(spot.place)) {
        return OpenOutside(wish, spot.place, -1);
      }
      (void)IsThere(Operation::kCreate, spot);
      return;
    }
    if (spot.special || !spot.slashes.empty()) return Fail(EISDIR);
    const auto entry = ActForProcess::Entry(spot.directory.get(), spot.name.c_str());
    if (entry.os_errno == 0) {
      const auto text = platform::ReadLinkText(entry.fd.get());
      // Something has appeared, or a link leads to what is missing.
      if (!text)
        return OpenFound(wish,
                         hand_.resolver.Find(thread_, origin, wish.path.final_link, wish.resolve));
      if (wish.exclusive) return Fail(EEXIST);
      if (wish.no_follow || wish.resolve != 0) return Fail(ELOOP);
      if (!Allowed(Operation::kRead, spot.path())) return;
      origin.text = *text;
      origin.base.reset();
      if (!text->starts_with('/')) origin.base = ActForProcess::Same(spot.directory.get());
      continue;
    }
    if (entry.os_errno != ENOENT) return Fail(entry.os_errno);
    const Judgement judged = hand_.resolver.Judged(spot.path(), Operation::kCreate);
    if (judged.rule == "outside") return OpenOutside(wish, spot.path(), -1);
    if (judged.refused()) return Refuse(Operation::kCreate, spot.path(), judged.rule);
    if (!Allowed(Operation::kWrite, spot.path())) return;
    if (OpensGitFile(wish, spot.path(), spot.directory.get())) return;
    if (!GitLetsMake(spot.path()) || !GitLetsName(Operation::kCreate, spot.path())) return;
    if (!Waits()) return;
    Looked made = ActForProcess::Create(spot.directory.get(), spot.name.c_str(), wish, Umask());
    if (made.os_errno != EEXIST || wish.exclusive) return GiveOpened(wish, std::move(made));
  }
  Fail(EAGAIN);
}

void Case::OpenTemporary(const OpenWish& wish, const Found& found) {
  if (!Waits()) return;
  GiveOpened(wish, ActForProcess::CreateTemporary(found.object.get(), wish, Umask()));
}

void Case::OpenTerminal(const OpenWish& wish) {
  auto terminal = hand_.processes.ControllingTerminal(thread_);
  if (!terminal.descriptor.valid()) return Fail(ENXIO);
  if (terminal.shared) {
    if (!ActForProcess::Serves(terminal.descriptor.get(), wish)) return Fail(EACCES);
    return GiveOpened(wish, {std::move(terminal.descriptor), 0});
  }
  Looked opened = hand_.acts.Reopen(terminal.descriptor.get(), wish, ActForProcess::Wait::kNever);
  if (opened.os_errno == 0 && !wish.non_blocking) ActForProcess::ClearNonBlocking(opened.fd.get());
  GiveOpened(wish, std::move(opened));
}

void Case::OpenOutside(const OpenWish& wish, const std::string& path, int own_descriptor) {
  const Operation operation =
      wish.create ? Operation::kCreate : OperationOf(wish, FileType::kUnknown);
  if (own_descriptor >= 0) {
    // It has this open already: it gets no more than that.
    UniqueFd same = hand_.processes.Duplicate(thread_, own_descriptor);
    if (same.valid() && ActForProcess::Serves(same.get(), wish)) {
      return GiveOpened(wish, {std::move(same), 0});
    }
  }
  // A directory's descriptor would lead past the view: to what is above it, and to sockets.
  const bool can_ask = !wish.reference && !wish.temporary && !wish.directory;
  if (!can_ask) return Refuse(operation, path, "outside");
  sandbox::Ask ask;
  using Way = sandbox::Ask::Way;
  ask.way = wish.exclusive                ? Way::kCreateExclusive
            : wish.create                 ? Way::kCreate
            : wish.read && wish.write     ? Way::kReadWrite
            : wish.write || wish.truncate ? Way::kWrite
                                          : Way::kRead;
  ask.truncate = wish.truncate;
  ask.path = path;
  using Yes = Waiting::Question::Yes;
  AskOutside(operation, std::move(ask),
             {wish.close_on_exec ? Yes::kGiveToClose : Yes::kGiveToKeep});
}

void Case::GiveWaiting(const OpenWish& wish, Found found) {
  Looked opened = hand_.acts.Reopen(found.object.get(), wish, ActForProcess::Wait::kNever);
  const bool one_way = wish.read != wish.write;
  if (wish.non_blocking || !one_way) {
    if (opened.os_errno == 0 && !wish.non_blocking)
      ActForProcess::ClearNonBlocking(opened.fd.get());
    return GiveOpened(wish, std::move(opened));
  }
  if (wish.write ? opened.os_errno == ENXIO
                 : opened.os_errno == 0 && !ActForProcess::HasOrHadWriter(opened.fd.get())) {
    if (!hand_.waiting.AddFifo(id_, std::move(found.object), std::move(opened.fd), wish))
      Fail(ENFILE);
    hand_.waiting.Retry();
    return;
  }
  if (opened.os_errno == 0) ActForProcess::ClearNonBlocking(opened.fd.get());
  GiveOpened(wish, std::move(opened));
  hand_.waiting.Retry();
}

void Case::GiveOpened(const OpenWish& wish, Looked opened) {
  if (opened.os_errno != 0) return Fail(opened.os_errno);
  if (!opened.fd.valid()) return Fail(EACCES);
  hand_.listener.Give(
      id_, opened.fd.get(),
      wish.close_on_exec ? SyscallListener::OnExec::kClose : SyscallListener::OnExec::kKeep);
}

}  // namespace cordon::warden
