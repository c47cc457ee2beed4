// The undo journals of sandboxes: one directory for each, gone with it.
#pragma once

#include <memory>
#include <string>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "undo/journal.h"

namespace cordon::serve {

// Thread safety: every method may run concurrently.
class Journals {
 public:
  // `directory` is absolute; empty: nothing is kept.
  explicit Journals(std::string directory) : directory_(std::move(directory)) {}

  // Null if nothing is kept. Errors: those of undo::Journal::Open.
  Result<std::shared_ptr<undo::Journal>> Open(const SandboxId& id) const;
  // The sandbox is gone, and what was kept of it goes, too.
  void Remove(const SandboxId& id) const;

 private:
  const std::string directory_;
};

}  // namespace cordon::serve
