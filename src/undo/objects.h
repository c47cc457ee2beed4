// Contents by their digest.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::undo {

// One file each, in a directory that nobody else may enter.
//
// Guarantees: a name has all of its content or is not there, also after a kill; what Get
//   returns has the digest that was asked for.
// Does not guarantee: that two processes may Put and Retain at the same time: take the
//   journal's lock.
class Objects {
 public:
  // The directory `name` of `directory`, made if missing.
  static Result<Objects> Open(int directory, const char* name);

  // Returns how many bytes were added: none if it was there.
  Result<std::uint64_t> Put(const Digest& digest, std::string_view bytes) const;

  // Errors: kNotFound; kIoError, rule "undo", if it is damaged.
  Result<std::string> Get(const Digest& digest) const;

  // Errors: kNotFound.
  Result<std::uint64_t> SizeOf(const Digest& digest) const;

  // Removes everything else, remains of killed processes included.
  Status Retain(const std::set<Digest>& wanted) const;

 private:
  explicit Objects(platform::UniqueFd directory) : directory_(std::move(directory)) {}
  platform::UniqueFd directory_;
};

// kIoError, rule "undo".
Error JournalError(std::string detail);

}  // namespace cordon::undo
