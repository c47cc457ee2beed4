// Files between this machine and a sandbox.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "cordon/result.h"
#include "remote/api_client.h"

namespace cordon::cli {

// A path in a sandbox's workspace.
struct SandboxPath {
  std::string sandbox;  // its id
  std::string path;     // "" is the workspace
};

enum class PathKind { kMissing, kFile, kDirectory };
Result<PathKind> KindOf(const remote::ApiClient& client, const SandboxPath& place);

struct Copied {
  std::uint64_t files = 0, bytes = 0;
  std::vector<std::string> left_out;  // what was not copied, each with its reason
};

// As cp -r: into `to` if that is a directory, else to that name. `from` that ends in "/." is what
// is in the directory, without it.
// Guarantees: nothing outside the destination is written, whatever a sandbox sends.
// Errors: kTooLarge for a file beyond the 64 MiB that the server takes.
Result<Copied> Upload(const remote::ApiClient& client, const std::string& from,
                      const SandboxPath& to, Progress& progress);
Result<Copied> Download(const remote::ApiClient& client, const SandboxPath& from,
                        const std::string& to, Progress& progress);

// "12.5 MiB".
std::string SizeText(std::uint64_t bytes);

// The last name in a path, without slashes at its end; "" for one that has none ("/", "a/.").
std::string LastName(const std::string& path);

}  // namespace cordon::cli
