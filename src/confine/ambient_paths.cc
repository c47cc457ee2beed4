#include "confine/ambient_paths.h"

#include <utility>

#include "base/try.h"
#include "path/posix.h"
#include "platform/host.h"
#include "platform/users.h"

namespace cordon::confine {

std::string AmbientRealPath(std::string_view absolute, AmbientAuthority /*authority*/) {
  std::string existing = "/" + path::CollapseLexically(absolute);
  std::string missing;
  while (existing.size() > 1) {
    if (auto host = platform::OpenHostDirectory(existing)) {
      return host->real_path == "/" && !missing.empty() ? missing : host->real_path + missing;
    }
    const std::size_t slash = existing.rfind('/');
    missing.insert(0, existing, slash);
    existing.resize(slash);
  }
  return missing.empty() ? "/" : missing;
}

Result<std::vector<std::string>> AmbientHomeDirectories(AmbientAuthority /*authority*/) {
  TRY_ASSIGN(const std::vector<std::string> told, platform::HomeDirectories());
  std::vector<std::string> homes;
  for (const std::string& home : told) {
    if (auto host = platform::OpenHostDirectory(home)) homes.push_back(std::move(host->real_path));
  }
  return homes;
}

Result<std::string> AmbientOwnProgram(AmbientAuthority /*authority*/) {
  return platform::OwnProgram();
}

}  // namespace cordon::confine
