// A supervised call in words that are the same on every architecture. What its arguments
// point to is read here once, except paths.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "platform/syscall_listener.h"

namespace cordon::platform {

inline constexpr int kWorkingDirectory = -100;  // AT_FDCWD

struct NamedPath {
  int directory = kWorkingDirectory;  // or the descriptor itself, if the path may be empty
  std::uint64_t address = 0;          // 0: there is none, the descriptor is meant
  enum class FinalLink { kFollow, kTake } final_link = FinalLink::kFollow;
  enum class Empty { kRefused, kDescriptor } empty = Empty::kRefused;
};

struct OpenWish {
  NamedPath path;
  int flags = 0;  // as asked for
  std::uint32_t mode = 0;
  std::uint64_t resolve = 0;  // openat2's
  bool read = false, write = false, truncate = false, create = false, exclusive = false;
  bool directory = false, temporary = false, reference = false, no_follow = false;
  bool non_blocking = false, close_on_exec = false;
};
struct RenameWish {
  NamedPath from, to;
  std::uint32_t flags = 0;
  bool exchange = false;
};
struct LinkWish {
  NamedPath from, to;
};
struct SymlinkWish {
  std::uint64_t text = 0;  // its address
  NamedPath path;
};
struct RemoveWish {
  NamedPath path;
  enum class What { kFile, kDirectory } what = What::kFile;
};
struct MakeDirectoryWish {
  NamedPath path;
  std::uint32_t mode = 0;
};
struct MakeNodeWish {
  NamedPath path;
  std::uint32_t mode = 0;
  std::uint64_t device = 0;
};
// What is done to the object that a path, or a descriptor, names.
struct ModeWish {
  std::uint32_t mode = 0;
};
struct OwnerWish {
  std::uint32_t user = 0, group = 0;
};
struct SizeWish {
  std::int64_t size = 0;
};
struct WishedTime {
  std::int64_t seconds = 0, nanoseconds = 0;  // or UTIME_NOW, UTIME_OMIT
};
struct TimesWish {
  std::optional<std::array<WishedTime, 2>> times;  // none: now
};
struct AttributeWish {
  std::string name;
  std::optional<std::string> value;  // none: remove it
  int flags = 0;
};
struct ChangeWish {
  NamedPath path;
  std::variant<ModeWish, OwnerWish, SizeWish, TimesWish, AttributeWish> change;
};
struct SocketWish {
  enum class What { kBind, kConnect } what = What::kBind;
  int socket = -1;
  std::string address;     // the bytes
  std::string local_path;  // if it is a path of this system's file names
};

using SupervisedCall = std::variant<OpenWish, RenameWish, LinkWish, SymlinkWish, RemoveWish,
                                    MakeDirectoryWish, MakeNodeWish, ChangeWish, SocketWish>;

// 0, or the -errno that the call answers at once: what cannot be read, what no kernel
// would take, what is not known here (-ENOSYS).
int Decode(const Notification& notification, SupervisedCall& call);

}  // namespace cordon::platform
