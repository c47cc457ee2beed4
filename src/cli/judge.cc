#include "cli/judge.h"

#include <utility>

#include "base/try.h"
#include "path/posix.h"

namespace cordon::cli {
namespace {

using platform::FileType;

Error Clash(ErrorCode code, std::string_view path, std::string detail) {
  Error error;
  error.code = code;
  error.op = "judge";
  error.component = path;
  error.detail = std::move(detail);
  return error;
}

// The new name need not exist; its directory must.
Result<Judged> JudgeTarget(const guard::Boundary& boundary, std::string_view untrusted) {
  Judged judged;
  TRY_ASSIGN(judged.root, boundary.Admit(policy::Subject::kAgent, Operation::kRename, untrusted));
  const std::string_view path = boundary.Locate(untrusted).path;
  Result<confine::Probed> found = judged.root->Probe(path, Operation::kRename);
  // A free name is what a rename wants; mkdir needs the same of it: a directory
  // to stand in, and nothing there, not even a link.
  if (!found && found.error().code == ErrorCode::kNotFound) {
    found = judged.root->Probe(path, Operation::kMkdir);
  }
  if (!found) return found.error();
  judged.found = std::move(*found);
  return judged;
}

}  // namespace

Result<Judged> Judge(const guard::Boundary& boundary, Operation operation,
                     std::string_view untrusted) {
  Judged judged;
  TRY_ASSIGN(judged.root, boundary.Admit(policy::Subject::kAgent, operation, untrusted));
  TRY_ASSIGN(judged.found, judged.root->Probe(boundary.Locate(untrusted).path, operation));
  return judged;
}

Result<Judged> JudgeRename(const guard::Boundary& boundary, std::string_view from,
                           std::string_view to, RenameEnd& at) {
  at = RenameEnd::kFrom;
  TRY_ASSIGN(Judged source, Judge(boundary, Operation::kRename, from));
  at = RenameEnd::kTo;
  TRY_ASSIGN(const Judged target, JudgeTarget(boundary, to));
  const bool moves_directory = source.found.stat.type == FileType::kDirectory;
  const bool onto_directory = target.found.exists && target.found.stat.type == FileType::kDirectory;
  if (!moves_directory && onto_directory) {
    return Clash(ErrorCode::kIsADirectory, to, "a directory has this name");
  }
  if (!moves_directory && path::TrimTrailing(to).must_be_directory) {
    return Clash(ErrorCode::kNotADirectory, to, "what is moved is not a directory");
  }
  if (moves_directory && target.found.exists && !onto_directory) {
    return Clash(ErrorCode::kNotADirectory, to, "a directory cannot replace what is there");
  }
  if (moves_directory && source.root == target.root &&
      target.found.path.starts_with(source.found.path + "/")) {
    return Clash(ErrorCode::kInvalidPath, to, "a directory cannot be moved below itself");
  }
  const policy::DenyList* deny = target.root->options().deny.get();
  if (moves_directory && deny != nullptr &&
      deny->CoversBelow(target.found.path, Operation::kRename)) {
    Error error = Clash(ErrorCode::kPathDenied, to, "a deny rule covers something below this name");
    error.violation = Violation::kDenylist;
    error.rule = "deny-list";
    return error;
  }
  return source;
}

std::string_view FileTypeName(platform::FileType type) {
  switch (type) {
    case FileType::kRegular: return "regular file";
    case FileType::kDirectory: return "directory";
    case FileType::kSymlink: return "link";
    case FileType::kFifo: return "FIFO";
    case FileType::kSocket: return "socket";
    case FileType::kDevice: return "device";
    case FileType::kUnknown: return "unknown";
  }
  return "unknown";
}

std::string_view ResolverName(confine::Resolver resolver) {
  switch (resolver) {
    case confine::Resolver::kOpenat2: return "openat2";
    case confine::Resolver::kWalk: return "walk";
    case confine::Resolver::kAuto: return "auto";
  }
  return "auto";
}

std::string_view ZoneName(policy::Zone zone) {
  switch (zone) {
    case policy::Zone::kWorkspace: return "workspace";
    case policy::Zone::kReadOnlyRoot: return "read-only root";
    case policy::Zone::kDataDirectory: return "data directory";
    case policy::Zone::kTemporary: return "temporary directory";
    case policy::Zone::kOutside: return "outside";
  }
  return "outside";
}

}  // namespace cordon::cli
