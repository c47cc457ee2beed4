// A directory of the host, opened as the boundary for untrusted paths.
//
//   auto workspace = cordon::Workspace::Open("/srv/project");
//   if (!workspace) return Fail(workspace.error().detail);
//   auto file = workspace->OpenRead(path_from_a_model);
//   if (!file) return Refuse(file.error().Message(path), file.error().AiMessage());
//   for (std::string line; std::getline(*file, line);) Use(line);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"
#include "cordon/path_not_allowed.h"
#include "cordon/path_validation.h"
#include "cordon/result.h"
#include "cordon/safe_file_stream.h"

namespace cordon {

enum class Profile { kStrict, kInteractive, kSandboxed, kCompat };

// From whom the paths come. DATA_DIR is for programs, not for agents, except
// under kCompat.
enum class Caller { kAgent, kProgram };

enum class WorkspaceAccess { kReadWrite, kReadOnly };

// Whether the operator's config.toml and the workspace's `.cordon.toml` count. With
// kRead, Open takes DATA_DIR of this process into account, too.
enum class ConfigFiles { kIgnore, kRead };

struct WorkspaceOptions {
  std::optional<Profile> profile;  // unset: the configuration file's, else kInteractive
  Caller caller = Caller::kAgent;
  WorkspaceAccess access = WorkspaceAccess::kReadWrite;
  ConfigFiles config_files = ConfigFiles::kIgnore;
  std::vector<std::string> more_roots;       // writable, beside the first
  std::vector<std::string> read_only_roots;  // readable in addition
  std::vector<std::string> deny;             // patterns, in addition to the configured sets
};

enum class FileType { kUnknown, kRegular, kDirectory, kSymlink, kFifo, kSocket, kDevice };
enum class FinalLink { kFollow, kNoFollow };

struct FileInfo {
  FileType type = FileType::kUnknown;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;  // permission bits
  std::uint64_t links = 0;
  std::int64_t modified_ns = 0;  // since 1970
};

struct DirectoryEntry {
  std::string name;
  FileType type = FileType::kUnknown;
};

// Guarantees: no method opens, reads, changes or reports on anything outside the
//   configured directories, or on what a deny rule covers, whatever the path
//   says and whoever changes the tree meanwhile. Relative paths are below the
//   first root, never below the process's working directory; "~" and "$VAR" are
//   names like any other. Paths are bytes.
// Does not guarantee: what docs/threat-model.md lists as not claimed; above all,
//   that an open file or directory stays inside if someone moves it.
// Errors: of every method that takes a path: kInvalidPath, kPathOutsideProject,
//   kPathDenied, kNotFound, kNotADirectory, kPermissionDenied, kTimeout (the
//   path did not hold still), kUnsupported, kIoError. A root removed meanwhile is
//   kNotFound and said so. Of those that open a file: kIsADirectory and
//   kNotARegularFile. Of those that make or remove something: kAlreadyExists, also
//   for a directory that is not empty.
// Thread safety: const methods may run concurrently. Copies share one boundary.
class Workspace {
 public:
  // Errors: kNotFound, kNotADirectory for a root that is missing or no
  //   directory; kInvalidArguments for a bad pattern, configuration file or
  //   CORDON_RESOLVER; kUnsupported where the system cannot confine safely.
  static Result<Workspace> Open(std::string_view root, const WorkspaceOptions& options = {});

  // The boundary that ALLOWED_ROOT_DIRECTORY and DATA_DIR of this process
  // describe. With the former unset, what the profile says: refuse, the current
  // directory (kInteractive), or every path with a warning (kCompat). By default
  // the paths are the program's own, so that DATA_DIR is allowed.
  static Result<Workspace> FromEnvironment();
  static Result<Workspace> FromEnvironment(const WorkspaceOptions& options);

  // Checks without changing anything or opening for reading; see PathValidation. What does
  // not exist is allowed for operations that could make it.
  PathValidation Validate(std::string_view path, Operation operation) const;

  // Whether the path lies inside and no deny rule covers it, existing or not. An
  // error on the way counts as no.
  bool IsPathAllowed(std::string_view path) const;
  // The real absolute path. Throws PathNotAllowedError. Advice as Validate is.
  std::string ValidatePath(std::string_view path) const;

  Result<SafeFileStream> OpenRead(std::string_view path) const;
  Result<SafeFileStream> OpenWrite(std::string_view path) const;
  Result<SafeFileStream> OpenAppend(std::string_view path) const;

  // Errors: kTooLarge beyond `limit` bytes.
  Result<std::string> ReadFile(std::string_view path, std::size_t limit = 64u << 20) const;
  // Replaces or makes the file all at once. A crash may leave a `.cordon-*.tmp` beside it.
  Status WriteFile(std::string_view path, std::string_view bytes) const;
  Status AppendFile(std::string_view path, std::string_view bytes) const;
  Result<FileInfo> Stat(std::string_view path, FinalLink final = FinalLink::kFollow) const;
  // In byte order, without what a deny rule hides. Errors: kLimitExceeded beyond a
  // million entries.
  Result<std::vector<DirectoryEntry>> List(std::string_view path) const;
  Status Mkdir(std::string_view path) const;
  Status MkdirAll(std::string_view path) const;
  // Replaces a file or an empty directory at `to`.
  Status Rename(std::string_view from, std::string_view to) const;
  // A file, a link itself, or an empty directory.
  Status Remove(std::string_view path) const;
  // With everything below. If a deny rule covers anything there, or something is
  // mounted there, nothing is removed, unless it came while removing.
  Status RemoveAll(std::string_view path) const;

  // What is configured, as real absolute paths. The first root; none under
  // kCompat without one, where everything is allowed.
  std::optional<std::string> allowed_root_directory() const;
  std::optional<std::string> data_directory() const;
  // Every directory of the boundary, the first root first.
  std::vector<std::string> allowed_paths() const;
  // What the operator should be told, e.g. that everything is allowed.
  const std::vector<std::string>& warnings() const;

 private:
  struct State;
  explicit Workspace(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

// Whether `resolved` is `directory` or below it, component by component: pure
// text, nothing is looked up, so links are not seen. "." and ".." are resolved
// by text; a path that is not absolute is in no directory.
bool IsPathWithinDirectory(std::string_view resolved, std::string_view directory);

}  // namespace cordon
