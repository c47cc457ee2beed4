// One supervised call being answered; for the files of this room.
#pragma once

#include <string>

#include "platform/act_for_process.h"
#include "platform/other_process.h"
#include "platform/syscall_listener.h"
#include "sandbox/spec.h"
#include "warden/judge.h"
#include "warden/refusals.h"
#include "warden/repositories.h"
#include "warden/resolver.h"
#include "warden/waiting.h"

namespace cordon::warden {

// What all calls share.
struct Hand {
  const sandbox::Spec& spec;
  const platform::SyscallListener& listener;
  const platform::ActForProcess& acts;
  const platform::OtherProcesses& processes;
  const Judge& judge;
  const Resolver& resolver;
  Refusals& refusals;
  Waiting& waiting;
};

// Every way through a handler ends in exactly one answer, or in a question that waits.
class Case {
 public:
  Case(const Hand& hand, const platform::Notification& notification)
      : hand_(hand), id_(notification.id), thread_(notification.thread) {}

  void Do(const platform::OpenWish& wish);
  void Do(const platform::RenameWish& wish);
  void Do(const platform::LinkWish& wish);
  void Do(const platform::SymlinkWish& wish);
  void Do(const platform::RemoveWish& wish);
  void Do(const platform::MakeDirectoryWish& wish);
  void Do(const platform::MakeNodeWish& wish);
  void Do(const platform::ChangeWish& wish);
  void Do(const platform::SocketWish& wish);

  void Fail(int os_errno) { hand_.listener.Fail(id_, os_errno); }

 private:
  // Answers 0, or the error.
  void Answer(int result);
  void Refuse(Operation operation, const std::string& path, const std::string& rule);
  // Whether it may be done; if not, that was answered.
  bool Allowed(Operation operation, const std::string& path);
  // Whether the lookup came to something; if not, that was answered.
  bool IsThere(Operation operation, const NotThere& looked);
  // Whether the process still waits, so that what was read is its own; asked before
  // anything is changed.
  bool Waits() const { return hand_.listener.Waits(id_); }
  std::uint32_t Umask() const;

  // A name that something is to be made under, or taken from. `outside`: where it is, if it
  // lies there; nothing was answered yet then. Neither: that was answered.
  struct Reached {
    std::optional<Spot> spot;
    std::string outside;
  };
  Reached Reach(const platform::NamedPath& path, Operation operation);
  // The same, with what lies outside refused.
  std::optional<Spot> SpotFor(const platform::NamedPath& path, Operation operation);

  // questions.cc
  bool IsOutside(const NotThere& looked) const;
  // Not so a granted place itself, which only may not be moved.
  bool LiesOutside(const std::string& path, Operation operation) const;
  // Puts it to a person if somebody can be asked and no rule forbids it; else it is refused.
  void AskOutside(Operation operation, sandbox::Ask ask, const Waiting::Question& question);
  void AskToDo(Operation operation, sandbox::Ask::Way way, const std::string& path,
               const std::string& to = {});
  // Of a spot nothing can be done with: what the kernel says to it.
  bool KeepsGit(Operation operation, const std::string& path, bool refused, const char* rule);
  bool GitLetsMake(const std::string& path);
  // Whether an entry, of whatever kind, may get that name.
  bool GitLetsName(Operation operation, const std::string& path);
  // What the path is to git; nothing where its rules do not hold.
  GitPart PartOf(const std::string& path) const;

  // opening.cc
  struct Ways;
  void OpenFound(const platform::OpenWish& wish, Found found);
  void OpenNew(const platform::OpenWish& wish, Origin origin);
  void OpenTemporary(const platform::OpenWish& wish, const Found& found);
  void OpenTerminal(const platform::OpenWish& wish);
  void OpenOutside(const platform::OpenWish& wish, const std::string& path, int own_descriptor);
  void GiveOpened(const platform::OpenWish& wish, platform::Looked opened);
  void GiveWaiting(const platform::OpenWish& wish, Found found);
  Operation OperationOf(const platform::OpenWish& wish, platform::FileType type) const;
  bool OpenAllowed(const platform::OpenWish& wish, const Found& found);

  // system_files.cc
  bool ReadsSystem(const std::string& path, Operation operation) const;
  bool OpensSystemFile(const platform::OpenWish& wish, const Origin& origin);

  // git_writes.cc
  bool OpensGitFile(const platform::OpenWish& wish, const std::string& path, int directory);
  void RenameGitConfig(const Spot& from, const Spot& to);

  // sockets.cc
  void Connected(platform::UniqueFd socket, int result, platform::UniqueFd object);

  // changes.cc
  void RenameOutside(const platform::RenameWish& wish, const Reached& from, const Reached& to);
  bool RenameAllowed(const Spot& from, const Spot& to, platform::FileType type);

  const Hand& hand_;
  std::uint64_t id_;
  int thread_;
};

}  // namespace cordon::warden
