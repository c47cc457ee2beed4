// The files of one log, by the directory they stand in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "confine/ambient_authority.h"
#include "cordon/result.h"
#include "platform/private_file.h"
#include "platform/unique_fd.h"

namespace cordon::audit {

// A directory and a bare name in it.
struct NamedPlace {
  platform::UniqueFd directory;
  std::string name;
};
// Errors: kInvalidArguments for a path that is not absolute or names no file.
Result<NamedPlace> OpenPlace(const std::string& path, platform::MissingDirectory missing,
                             confine::AmbientAuthority authority);

// FILE is the newest, of the highest generation; FILE.000001 was the first. Nothing
// here follows a link, and whatever is opened is a regular file of this user alone.
class LogFiles {
 public:
  explicit LogFiles(NamedPlace place) : place_(std::move(place)) {}

  int directory() const { return place_.directory.get(); }
  const std::string& name() const { return place_.name; }
  std::string head_name() const { return place_.name + ".head"; }
  std::string next_name() const { return place_.name + ".next"; }  // while it is being made
  std::string NameOf(std::uint64_t generation) const;              // once it was left

  Result<platform::UniqueFd> Open(const std::string& name, platform::PrivateAccess access) const;
  // As Open to read, but a name that is not there is no error.
  Result<std::optional<platform::UniqueFd>> OpenIfThere(const std::string& name) const;
  Result<bool> Exists(const std::string& name) const;
  Status Remove(const std::string& name) const;  // no error if it is not there
  Status Rename(const std::string& name, const std::string& new_name) const;
  Status Sync() const;  // the names themselves

  // Generations that have a file of their own, ascending.
  Result<std::vector<std::uint64_t>> Left() const;

 private:
  NamedPlace place_;
};

}  // namespace cordon::audit
