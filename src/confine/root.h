// The boundary itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/ambient_authority.h"
#include "confine/expected.h"
#include "confine/file.h"
#include "confine/replacement.h"
#include "confine/search.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "path/name_rules.h"
#include "platform/file_stat.h"
#include "platform/unique_fd.h"
#include "platform/watcher.h"
#include "policy/deny_list.h"
#include "policy/profile.h"

namespace cordon::confine {

// Which machinery turns a path into a descriptor. Both give the same answers.
enum class Resolver {
  kAuto,     // openat2 where the kernel has it and lets us, else the walk
  kOpenat2,  // one system call; kUnsupported where it is missing
  kWalk,     // one component at a time
};

enum class RootAccess { kReadWrite, kReadOnly };
enum class FinalSymlink { kFollow, kNoFollow };

// What Open may do to the name.
enum class OpenMode {
  kRead,
  kWrite,            // in place; must exist
  kReadWrite,        // in place; must exist
  kCreate,           // for writing; made if missing, emptied if there
  kCreateExclusive,  // for writing; must not exist, not even as a link
};

struct RootOptions {
  std::shared_ptr<const policy::DenyList> deny;  // null: denies nothing
  policy::HardLinks hard_links = policy::HardLinks::kRefuse;
  policy::Mounts mounts = policy::Mounts::kRefuse;
  RootAccess access = RootAccess::kReadWrite;
  Resolver resolver = Resolver::kAuto;  // CORDON_RESOLVER is read by the caller
  // Absolute; what the directory is called where it is seen from elsewhere, e.g. in a sandbox:
  // one more spelling, in paths and in links. "": none.
  std::string seen_as = {};
  // Rules by which directories compare names beside those found by asking them:
  // for volumes that fold names and do not say so.
  path::NameRules assumed_name_rules = path::NameRules::kExact;
  // Where two names cannot be exchanged at once, so that what is replaced can only be looked at
  // before: refuse what expects an object or content, or look and replace. The second loses what
  // another process puts there in between.
  enum class WithoutExchange { kRefuse, kLookFirst } without_exchange = WithoutExchange::kRefuse;
  // kNone: nothing can be mounted below; for systems that do not tell mounts apart.
  enum class MountsBelow { kPossible, kNone } mounts_below = MountsBelow::kPossible;
  // How long to try again while other processes keep changing the path.
  std::chrono::milliseconds race_deadline{100};
};

struct DirectoryEntry {
  std::string name;
  platform::FileType type = platform::FileType::kUnknown;
};

// kAsItWas is for giving back a link that was there before: it may have led out, and
// no operation follows it there.
enum class LinkText { kLeadsInside, kAsItWas };

// One step of a walk; `path` is relative to the walk's start.
struct WalkEntry {
  std::string_view path;
  const platform::FileStat& stat;
};
enum class WalkStep { kContinue, kSkipBelow, kStop };
struct WalkLimits {
  std::size_t max_entries = 1'000'000;
  std::size_t max_depth = 1024;
};

struct RootState;     // root_state.h
class RootElsewhere;  // root_elsewhere.h
class SearchVisitor;  // search_visitor.h

// What Probe found without opening, creating or changing anything.
struct Probed {
  std::string path;  // true path below the root, without links; "" is the root
  bool exists = false;
  platform::FileStat stat;  // when it exists
  // That holds the name, for operations on names: write, create, delete, mkdir, rename.
  platform::FileIdentity directory;
  // While these live, neither's number can pass to something made later.
  platform::UniqueFd held_object, held_directory;
  std::shared_ptr<const void> held_elsewhere;  // the same, of a root elsewhere
  // What an operation must be given to act on what was found here and nothing else.
  // This object must be kept until then.
  Expected AsExpected() const;
};

// One entry below a probed directory; valid during the call.
struct ProbedEntry {
  int directory;                   // holds it
  const std::string& name;         // bare
  const std::string& path;         // below the probed directory
  const platform::FileStat& stat;  // of the entry itself, link or not
};

// An open directory beneath which untrusted path strings are resolved. The only
// type in the tree that turns a string into a descriptor.
//
// Guarantees: whatever an operation opens, changes or reports on was beneath the
//   root when it was resolved, and no deny rule covers the path asked for, any
//   path a link led to, or the path it really has; "..", absolute targets and
//   magic links never lead out; absolute links to inside work. Names are never
//   checked and then used again: the descriptor is the check.
// Does not guarantee: that a directory stays beneath the root after it was
//   resolved, if another process moves it (threat-model.md).
// Thread safety: const methods may run concurrently.
// Errors of every operation on a path: kInvalidPath (empty, NUL, too long, loop),
//   kPathOutsideProject, kPathDenied, kNotFound, kNotADirectory,
//   kPermissionDenied, kTimeout (the path did not hold still until the
//   deadline); kUnsupported when no race-free resolver exists, never a weaker
//   one. "Path" is any bytes.
class Root {
 public:
  // Opens a directory of the host as a root. A link to a directory is followed,
  // once, here; both spellings are then accepted in absolute paths.
  // Errors: kNotFound, kNotADirectory, kInvalidPath, kUnsupported.
  static Result<Root> OpenAmbient(std::string_view host_directory, RootOptions options,
                                  AmbientAuthority authority);
  // A directory of another system, where whoever is asked does what is done here. It has one
  // spelling: options.seen_as. Its own rules are not checked here but there.
  static Root OfElsewhere(std::shared_ptr<const RootElsewhere> elsewhere, RootOptions options);

  Root(Root&&) noexcept;
  Root& operator=(Root&&) noexcept;
  ~Root();

  // The directory's real absolute path when it was opened, and the given one.
  const std::string& real_path() const;
  const std::vector<std::string>& spellings() const;
  const RootOptions& options() const;
  Resolver active_resolver() const;  // kOpenat2 or kWalk
  platform::FileIdentity identity() const;

  // Opens a regular file, close-on-exec, never blocking. Other kinds of file are
  // refused: kIsADirectory, kNotARegularFile.
  Result<File> Open(std::string_view untrusted, OpenMode mode, const Expected& expected = {}) const;

  // Replaces or makes a file's content all at once: nothing of it is visible
  // before Commit, and a shared inode is never written to. A link is followed.
  Result<Replacement> Replace(std::string_view untrusted, const Expected& expected = {}) const;

  // Adds to the end of a file, making it if missing. A file with other names
  // gets an inode of its own first, or is refused, as hard_links says.
  Status Append(std::string_view untrusted, std::string_view bytes,
                const Expected& expected = {}) const;

  Result<platform::FileStat> Stat(std::string_view untrusted, FinalSymlink final,
                                  const Expected& expected = {}) const;

  // The entries of a directory in byte order, without those a deny rule hides.
  // Errors: kLimitExceeded beyond `limit`.
  Result<std::vector<DirectoryEntry>> List(std::string_view untrusted,
                                           std::size_t limit = 1'000'000,
                                           const Expected& expected = {}) const;

  // Visits everything below a directory, depth first, in byte order, following
  // no link and entering no other mount that the options refuse; entries that a
  // deny rule hides are passed over.
  Status Walk(std::string_view untrusted, const WalkLimits& limits,
              const std::function<WalkStep(const WalkEntry&)>& visit,
              const Expected& expected = {}) const;

  // Goes through everything below a directory with several workers, in the same order as
  // Walk as far as that goes, under the same rules: what Walk would not show is not seen,
  // what Open would not read is not read, no link is followed. `untrusted` may also be a
  // file, which is then all there is. What cannot be looked into is counted and passed
  // over. `begin` is given the start's true path below the root before the visitor sees
  // anything; its error is the search's.
  Result<SearchOutcome> Search(std::string_view untrusted, const SearchTerms& terms,
                               SearchVisitor& visitor,
                               const std::function<Status(std::string_view)>& begin,
                               const Expected& expected = {}) const;

  // Has `watcher` tell, until the handle is dropped, when the file is written, removed,
  // made again or replaced, by its name in the directory that holds it now. A link is
  // followed, once, here. Other kinds of file are refused as by Open.
  // Errors beside: the watcher's.
  struct Watched {
    std::string path;  // true path below the root
    platform::Watcher::Handle handle;
  };
  Result<Watched> Watch(std::string_view untrusted, platform::Watcher& watcher,
                        std::function<void()> changed, const Expected& expected = {}) const;

  // Never follows the last component.
  Status Mkdir(std::string_view untrusted, std::uint32_t mode = 0777,
               const Expected& expected = {}) const;
  // With exactly these permission bits, whatever the process's mask says.
  Status MkdirExactly(std::string_view untrusted, std::uint32_t mode,
                      const Expected& expected = {}) const;
  // Makes missing parents too; what exists already as a directory is fine.
  Status MkdirAll(std::string_view untrusted, std::uint32_t mode = 0777) const;

  // Moves `from` to `to` below `target` (may be this root). Replaces a file or
  // an empty directory; replaces a link itself, never where it leads.
  Status Rename(std::string_view from, const Root& target, std::string_view to,
                const Expected& expected_from = {}, const Expected& expected_to = {}) const;

  // A file, a link itself, or an empty directory.
  Status Remove(std::string_view untrusted, const Expected& expected = {}) const;
  // With everything below. Refuses, having removed nothing, if a deny rule
  // covers anything there. A missing path is kNotFound. The root itself stays.
  Status RemoveAll(std::string_view untrusted, const Expected& expected = {}) const;

  // The text of a link that leads inside. Errors: kPathOutsideProject, without
  // the text, if it leads out; kInvalidArguments if it is not a link.
  Result<std::string> ReadLink(std::string_view untrusted, const Expected& expected = {}) const;
  // Makes a link at `untrusted`, only if `target`, read from there, stays inside.
  Status Symlink(std::string_view target, std::string_view untrusted, const Expected& expected = {},
                 LinkText text = LinkText::kLeadsInside) const;

  // What `operation` on the path would meet, all rules applied, without doing
  // it. An answer for people and logs; it holds only for the moment.
  // `judged_as`: the operation that the deny list must allow instead, for who looks in
  // one way and will act in another.
  Result<Probed> Probe(std::string_view untrusted, Operation operation,
                       std::optional<Operation> judged_as = std::nullopt) const;

  // Everything below the directory that Probe found for a delete, before it is lost;
  // told to nobody but who keeps it.
  // Errors: kPathDenied when a deny rule keeps something there from being removed, and
  // then nothing of it was visited; the visitor's; kLimitExceeded; kUnsupported at a
  // mount.
  Status WalkProbed(const Probed& top, const WalkLimits& limits,
                    const std::function<Status(const ProbedEntry&)>& visit) const;

  // A directory of this root as a root of its own, held by its descriptor: whatever
  // is put in its place later is not it. `expected`: as Probe found it. If `untrusted` is
  // absolute, both spellings are accepted later.
  Result<Root> Subroot(std::string_view untrusted, RootOptions options,
                       const Expected& expected = {}) const;

 private:
  explicit Root(std::unique_ptr<RootState> state);
  std::unique_ptr<RootState> state_;
};

// Reads a file of the host, for configuration and the like.
// Errors: kNotFound, kTooLarge, kNotARegularFile, kPermissionDenied.
Result<std::string> ReadAmbientFile(std::string_view host_path, std::size_t limit,
                                    AmbientAuthority authority);

}  // namespace cordon::confine
