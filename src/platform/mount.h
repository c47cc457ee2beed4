// Mounts of this process's mount namespace, by descriptor: a tree is made detached, gets
// its attributes, and is then attached, so that nobody ever sees it half made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

enum class MountAttribute { kReadOnly, kNoSetUserId, kNoDevices, kNoPrograms };
using MountAttributes = std::initializer_list<MountAttribute>;

// What is mounted or unmounted elsewhere is not seen here from now on, and the reverse.
Status MakeMountsPrivate();

// What `path` names now, with everything mounted below it, to be attached once more.
// Follows links.
Result<UniqueFd> CopyOfTree(const std::string& path, MountAttributes attributes);
// The same, of what a reference refers to.
Result<UniqueFd> CopyOfTreeAt(int reference, MountAttributes attributes);
// A reference to what is at `path`, which is relative to `directory`; no link is followed.
Result<UniqueFd> MountPlace(int directory, const std::string& path);

// New file systems. `bytes`: the most that can be stored; 0: as the system likes.
Result<UniqueFd> NewMemoryFiles(std::uint64_t bytes, MountAttributes attributes);
Result<UniqueFd> NewProcessFiles();   // of this PID namespace
Result<UniqueFd> NewTerminalFiles();  // with no terminals in it, and open to all

// Attaches over the directory or file at `path`, which is relative to `directory`; no link
// is followed. An empty path is `directory` itself.
Status Attach(int tree, int directory, const std::string& path);
Status ChangeAttributes(int mount, MountAttributes attributes);

// Puts `mount`, a new file system that is not attached, over the root, so that trees can be
// attached in it.
Status CoverRoot(int mount);
// Makes `mount`, where CoverRoot put it, the root; the old one is gone for this namespace.
Status EnterRoot(int mount);

// Entries for things to be attached at, made with all directories above; existing ones do.
// `path` is relative, and free of links.
Status MakeMountDirectory(int root, const std::string& path, std::uint32_t mode);
Status MakeMountFile(int root, const std::string& path);
Status MakeMountLink(int root, const std::string& path, const std::string& text);

// What stands at an absolute path of the host.
enum class Standing { kNothing, kDirectory, kLinkToDirectory, kOther };
Standing StandingAt(const std::string& path);
// The text of the link there.
std::optional<std::string> LinkTextAt(const std::string& path);

// Bytes that can still be stored where `path` is; none when that cannot be told.
std::optional<std::uint64_t> FreeSpaceAt(const std::string& path);

}  // namespace cordon::platform
