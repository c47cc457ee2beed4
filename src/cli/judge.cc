#include "cli/judge.h"

#include "base/try.h"

namespace cordon::cli {

Result<Judged> Judge(const guard::Boundary& boundary, Operation operation,
                     std::string_view untrusted) {
  Judged judged;
  TRY_ASSIGN(judged.root, boundary.Admit(policy::Subject::kAgent, operation, untrusted));
  TRY_ASSIGN(judged.found, judged.root->Probe(boundary.Locate(untrusted).path, operation));
  return judged;
}

Result<Judged> JudgeRenameTarget(const guard::Boundary& boundary, std::string_view untrusted) {
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
  judged.found = *found;
  return judged;
}

std::string_view FileTypeName(platform::FileType type) {
  switch (type) {
    case platform::FileType::kRegular: return "regular file";
    case platform::FileType::kDirectory: return "directory";
    case platform::FileType::kSymlink: return "link";
    case platform::FileType::kFifo: return "FIFO";
    case platform::FileType::kSocket: return "socket";
    case platform::FileType::kDevice: return "device";
    case platform::FileType::kUnknown: return "unknown";
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
