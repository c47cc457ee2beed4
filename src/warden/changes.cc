// Making, removing, moving and linking: parent and bare name, judged, then done there.
#include <cerrno>
#include <utility>

#include "platform/file_stat.h"
#include "platform/link.h"
#include "warden/case.h"
#include "warden/git_paths.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::FileType;
using Way = sandbox::Ask::Way;

FileType TypeAt(const Spot& spot) {
  const auto entry = ActForProcess::Entry(spot.directory.get(), spot.name.c_str());
  if (entry.os_errno != 0) return FileType::kUnknown;
  const auto stat = platform::StatDescriptor(entry.fd.get());
  return stat ? stat->type : FileType::kUnknown;
}

}  // namespace

Case::Reached Case::Reach(const platform::NamedPath& path, Operation operation) {
  const Origin origin = hand_.resolver.Begin(thread_, path, 0);
  if (origin.os_errno != 0) {
    Fail(origin.os_errno);
    return {};
  }
  Spot spot = hand_.resolver.FindSpot(thread_, origin, 0);
  if (!spot.special && IsOutside(spot)) return {std::nullopt, spot.place};
  if (!IsThere(operation, spot)) return {};
  if (spot.name.empty()) spot.name = "/";  // which no kernel makes, moves or removes
  if (spot.special) return {std::move(spot), {}};
  if (operation == Operation::kMkdir) {
    // `mkdir -p` asks for all directories above: what is there is there, in any place.
    const Judgement judged = hand_.resolver.Judged(spot.path(), operation);
    const bool of_place = judged.rule == "outside" || judged.rule == "read-only";
    if (of_place && TypeAt(spot) == FileType::kDirectory) {
      Fail(EEXIST);
      return {};
    }
  }
  if (LiesOutside(spot.path(), operation)) return {std::nullopt, spot.path()};
  if (!Allowed(operation, spot.path())) return {};
  return {std::move(spot), {}};
}

std::optional<Spot> Case::SpotFor(const platform::NamedPath& path, Operation operation) {
  Reached reached = Reach(path, operation);
  if (!reached.outside.empty()) Refuse(operation, reached.outside, "outside");
  return std::move(reached.spot);
}

// Whether something ordinary may be made or changed under that name.
bool Case::GitLetsMake(const std::string& path) {
  switch (PartOf(path)) {
    case GitPart::kHook: return KeepsGit(Operation::kWrite, path, true, "git:hooks");
    case GitPart::kConfig: return KeepsGit(Operation::kWrite, path, true, "git:config");
    case GitPart::kRedirect:
    case GitPart::kRepository: return KeepsGit(Operation::kWrite, path, true, "git:file");
    default: return true;
  }
}

GitPart Case::PartOf(const std::string& path) const {
  if (hand_.spec.git == sandbox::GitRules::kNone) return GitPart::kNone;
  return Repositories(hand_.acts, hand_.resolver.root()).PartOf(path);
}

bool Case::GitLetsName(Operation operation, const std::string& path) {
  if (hand_.spec.git == sandbox::GitRules::kNone) return true;
  const std::string rule = Repositories(hand_.acts, hand_.resolver.root()).RuleOnMaking(path);
  return KeepsGit(operation, path, !rule.empty(), rule.c_str());
}

bool Case::KeepsGit(Operation operation, const std::string& path, bool refused, const char* rule) {
  if (refused) Refuse(operation, path, rule);
  return !refused;
}

void Case::Do(const platform::MakeDirectoryWish& wish) {
  const auto [spot, outside] = Reach(wish.path, Operation::kMkdir);
  if (!outside.empty()) return AskToDo(Operation::kMkdir, Way::kMakeDirectory, outside);
  if (!spot) return;
  const bool hook = !spot->special && PartOf(spot->path()) == GitPart::kHook;
  if (!KeepsGit(Operation::kMkdir, spot->path(), hook, "git:hooks")) return;
  if (!spot->special && !GitLetsName(Operation::kMkdir, spot->path())) return;
  if (!Waits()) return;
  Answer(ActForProcess::MakeDirectory(spot->directory.get(), spot->asked().c_str(), wish.mode,
                                      Umask()));
}

void Case::Do(const platform::MakeNodeWish& wish) {
  const auto spot = SpotFor(wish.path, Operation::kCreate);
  if (!spot) return;
  if (!spot->special && !GitLetsMake(spot->path())) return;
  if (!spot->special && !GitLetsName(Operation::kCreate, spot->path())) return;
  if (!Waits()) return;
  Answer(ActForProcess::MakeNode(spot->directory.get(), spot->asked().c_str(), wish, Umask()));
}

void Case::Do(const platform::RemoveWish& wish) {
  const auto [spot, outside] = Reach(wish.path, Operation::kDelete);
  if (!outside.empty()) return AskToDo(Operation::kDelete, Way::kRemove, outside);
  if (!spot || !Waits()) return;
  Answer(ActForProcess::Remove(spot->directory.get(), spot->asked().c_str(), wish.what));
}

void Case::Do(const platform::SymlinkWish& wish) {
  std::string text;
  if (const int failed = platform::ReadText(thread_, wish.text, text); failed != 0)
    return Fail(-failed);
  const auto spot = SpotFor(wish.path, Operation::kCreate);
  if (!spot) return;
  const GitPart part = spot->special ? GitPart::kNone : PartOf(spot->path());
  const bool ordinary = part == GitPart::kOrdinary || part == GitPart::kPlain;
  const bool harmless = part == GitPart::kNone || (ordinary && IsHarmlessGitLink(text));
  if (!KeepsGit(Operation::kCreate, spot->path(), !harmless, "git:link")) return;
  if (!spot->special && !GitLetsName(Operation::kCreate, spot->path())) return;
  if (!Waits()) return;
  Answer(ActForProcess::Symlink(text.c_str(), spot->directory.get(), spot->asked().c_str()));
}

void Case::Do(const platform::LinkWish& wish) {
  const Origin origin = hand_.resolver.Begin(thread_, wish.from, 0);
  if (origin.os_errno != 0) return Fail(origin.os_errno);
  const Found source = hand_.resolver.Find(thread_, origin, wish.from.final_link, 0);
  if (!IsThere(Operation::kRead, source)) return;
  if (source.type == FileType::kDirectory) return Fail(EPERM);
  // Under a second name everything could be done that a rule forbids under the first.
  for (const Operation operation : {Operation::kRead, Operation::kWrite, Operation::kCreate,
                                    Operation::kDelete, Operation::kStat, Operation::kRename}) {
    if (!Allowed(operation, source.real)) return;
  }
  if (!GitLetsMake(source.real)) return;
  const auto spot = SpotFor(wish.to, Operation::kCreate);
  if (!spot) return;
  if (!spot->special && !GitLetsMake(spot->path())) return;
  if (!spot->special && !GitLetsName(Operation::kCreate, spot->path())) return;
  if (!Waits()) return;
  Answer(hand_.acts.Link(source.object.get(), spot->directory.get(), spot->asked().c_str()));
}

// Whether git and what lies below allow the move; configurations are not asked about here.
bool Case::RenameAllowed(const Spot& from, const Spot& to, FileType type) {
  if (type == FileType::kDirectory) {
    for (const Spot* spot : {&from, &to}) {
      const std::string kept = hand_.judge.KeepsBelow(spot->path());
      if (kept.empty()) continue;
      Refuse(Operation::kRename, spot->path(), kept);
      return false;
    }
  }
  if (hand_.spec.git == sandbox::GitRules::kNone) return true;
  // What it says of where the rest is would mean another place.
  const bool leads = type == FileType::kDirectory && LeadsToRepository(from.path());
  if (!KeepsGit(Operation::kRename, from.path(), leads, "git:move")) return false;
  const std::string target = to.path();
  if (!GitLetsName(Operation::kRename, target)) return false;
  switch (PartOf(target)) {
    case GitPart::kNone: return true;
    case GitPart::kPlain:
      return KeepsGit(Operation::kRename, target, type == FileType::kSymlink, "git:link");
    case GitPart::kOrdinary: {
      const bool carries = type == FileType::kDirectory || type == FileType::kSymlink;
      return KeepsGit(Operation::kRename, target, carries, "git:move");
    }
    case GitPart::kHook:
    case GitPart::kHooks: return KeepsGit(Operation::kRename, target, true, "git:hooks");
    default: return KeepsGit(Operation::kRename, target, true, "git:move");
  }
}

// From one side of the line to the other nothing is moved: neither side's rules would hold
// for all of it.
void Case::RenameOutside(const platform::RenameWish& wish, const Reached& from, const Reached& to) {
  constexpr std::uint32_t kNoReplace = 1;  // RENAME_NOREPLACE
  const bool both = !from.outside.empty() && !to.outside.empty();
  if (!both || (wish.flags & ~kNoReplace) != 0) {
    return Refuse(Operation::kRename, from.outside.empty() ? to.outside : from.outside, "outside");
  }
  AskToDo(Operation::kRename, wish.flags == 0 ? Way::kRename : Way::kRenameToFree, from.outside,
          to.outside);
}

void Case::Do(const platform::RenameWish& wish) {
  const Reached source = Reach(wish.from, Operation::kRename);
  if (!source.spot && source.outside.empty()) return;
  const Reached target = Reach(wish.to, Operation::kCreate);
  if (!target.spot && target.outside.empty()) return;
  if (!source.spot || !target.spot) return RenameOutside(wish, source, target);
  const Spot* const from = &*source.spot;
  const Spot* const to = &*target.spot;
  if (!from->special && !to->special) {
    const FileType type = TypeAt(*from);
    if (!Allowed(Operation::kWrite, to->path())) return;
    // What is replaced is gone; what is exchanged is moved itself.
    const FileType replaced = TypeAt(*to);
    if (replaced != FileType::kUnknown && !Allowed(Operation::kDelete, to->path())) return;
    if (wish.exchange) {
      if (!Allowed(Operation::kRename, to->path()) || !Allowed(Operation::kCreate, from->path()))
        return;
      if (!RenameAllowed(*to, *from, replaced)) return;
    }
    const bool config =
        wish.flags == 0 && type == FileType::kRegular && PartOf(to->path()) == GitPart::kConfig;
    if (config) return RenameGitConfig(*from, *to);
    if (!RenameAllowed(*from, *to, type)) return;
  }
  if (!Waits()) return;
  Answer(ActForProcess::Rename(from->directory.get(), from->asked().c_str(), to->directory.get(),
                               to->asked().c_str(), wish.flags));
}

}  // namespace cordon::warden
