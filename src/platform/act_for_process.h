// File calls that a supervisor does in place of a process, by descriptor and bare name.
// Answers are the kernel's own: a value, or -errno.
#pragma once

#include <cstdint>
#include <string>

#include "cordon/result.h"
#include "platform/file_stat.h"
#include "platform/supervised_call.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// What a lookup gave: a reference, or the errno.
struct Looked {
  UniqueFd fd;
  int os_errno = 0;
};

// This process's own descriptors, as names that can be opened anew.
// Thread safety: const methods may run concurrently, but those that make something set
// this process's umask.
class ActForProcess {
 public:
  static Result<ActForProcess> Open();

  // Where the object is now: absolute; "name:[number]" for what has no place; with
  // " (deleted)" behind it if it has none any more. Empty if that cannot be said.
  std::string RealPath(int fd) const;

  // References. LookUp passes through no link; `resolve`: openat2's flags in its place.
  Looked LookUp(int base, const char* path, NamedPath::FinalLink final_link,
                std::uint64_t resolve) const;
  static std::uint64_t NoLinks();
  static std::uint64_t NoMagicLinks();
  static std::uint64_t InRoot();
  static Looked Entry(int directory, const char* name);   // link or not, never followed
  static UniqueFd Scratch();                              // a file that is nowhere
  static UniqueFd Same(int fd);                           // a second descriptor of it
  static Looked Follow(int directory, const char* name);  // a kernel's own link

  // The object of a reference, opened with the wish's flags. kNever: non-blocking, whatever
  // they say; for all but regular files and directories.
  enum class Wait { kAsAsked, kNever };
  Looked Reopen(int object, const OpenWish& wish, Wait wait) const;
  // The same by a path, in one step and kNever. `resolve`: openat2's flags. What may not
  // block is then as the process asked with SetFlags.
  static Looked OpenToRead(int base, const char* path, const OpenWish& wish, std::uint64_t resolve);
  static int SetFlags(int fd, const OpenWish& wish);
  // Exactly what the process asked for again, on what may block.
  static int ClearNonBlocking(int fd);
  // A new file; EEXIST if anything is there.
  static Looked Create(int directory, const char* name, const OpenWish& wish, std::uint32_t umask);
  static Looked CreateTemporary(int directory, const OpenWish& wish, std::uint32_t umask);

  static int MakeDirectory(int directory, const char* name, std::uint32_t mode,
                           std::uint32_t umask);
  static int MakeNode(int directory, const char* name, const MakeNodeWish& wish,
                      std::uint32_t umask);
  static int Remove(int directory, const char* name, RemoveWish::What what);
  static int Rename(int from, const char* name, int to, const char* new_name, std::uint32_t flags);
  int Link(int object, int to, const char* name) const;
  static int Symlink(const char* text, int directory, const char* name);
  int Change(int object, const ChangeWish& wish) const;

  static int BindAt(int socket, int directory, const std::string& name, std::uint32_t umask);
  static int Bind(int socket, const std::string& address);
  // Connecting never waits: -EINPROGRESS, -EAGAIN. ConnectResult: what came of it, or
  // -EINPROGRESS.
  int ConnectTo(int socket, int object) const;
  static int Connect(int socket, const std::string& address);
  static int ConnectResult(int socket);
  static bool IsNonBlocking(int fd);

  // For a FIFO's reader that was opened without waiting: whether a writer has come.
  static bool HasOrHadWriter(int reader);
  // Whether both are open in a way that serves the wish.
  static bool Serves(int fd, const OpenWish& wish);
  static bool IsTerminalOfProcess(int object);  // /dev/tty itself

 private:
  explicit ActForProcess(UniqueFd own) : own_(std::move(own)) {}
  UniqueFd own_;  // /proc/self/fd
};

// Keeps others of the same user from this process's memory and descriptors.
Status HideOwnMemory();

}  // namespace cordon::platform
