// Ports of this machine for previews in development: each one sandbox's own, and really listened
// on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "store/store.h"

namespace cordon::preview {

struct PortRange {
  std::uint16_t first = 30000, last = 39999;
};

// The port that is tried first for this id, always the same.
std::uint16_t FirstChoice(const SandboxId& id, const PortRange& range);

// Guarantees: a port that was given is reserved in the store for this sandbox, so that no other
//   gets it, also after a restart; and this process listens on it, on 127.0.0.1 alone.
// Does not guarantee: that a sandbox has its port still after a restart, if another program took
//   it meanwhile; it then gets the next one.
// Thread safety: may run concurrently, but not for the same id.
class Ports {
 public:
  Ports(std::shared_ptr<store::Store> store, PortRange range)
      : store_(std::move(store)), range_(range) {}

  struct Reserved {
    std::uint16_t port = 0;
    platform::UniqueFd listener;  // never blocks
  };
  // The one it has in the store, or else the first from its first choice on that is free here and
  // there. Errors: kLimitExceeded when all are taken; kNotFound when there is no such sandbox.
  Result<Reserved> Reserve(const SandboxId& id);

 private:
  std::vector<std::uint16_t> Candidates(const SandboxId& id) const;

  const std::shared_ptr<store::Store> store_;
  const PortRange range_;
};

}  // namespace cordon::preview
