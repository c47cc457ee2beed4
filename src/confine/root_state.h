// What a Root holds; for the files of this room only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "confine/root.h"
#include "platform/file_stat.h"
#include "platform/unique_fd.h"

namespace cordon::confine {

struct RootState {
  platform::UniqueFd directory;  // a reference
  platform::FileIdentity identity;
  std::optional<std::uint64_t> mount;  // unset where the kernel does not tell mounts apart
  std::string real_path;
  std::vector<std::string> spellings;  // absolute, real_path first
  RootOptions options;
  Resolver resolver = Resolver::kOpenat2;          // the one in use
  std::shared_ptr<const RootElsewhere> elsewhere;  // set: all is done there
};

}  // namespace cordon::confine
