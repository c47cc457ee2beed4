// What the proxy asks of sandboxes.
#pragma once

#include <memory>
#include <string_view>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "provision/sandboxes.h"
#include "store/records.h"
#include "store/store.h"

namespace cordon::preview {

// Runs in worker threads, and may wait.
// Thread safety: all methods may run concurrently.
class Backend {
 public:
  virtual ~Backend() = default;
  // Errors: kNotFound: there is none, or it is nobody's.
  virtual Result<store::Sandbox> Look(const SandboxId& id) = 0;
  // Wakes it if it sleeps; as provision::Sandboxes::Use.
  virtual Result<provision::Sandboxes::Lease> Use(std::string_view user, const SandboxId& id) = 0;
};

// The real ones.
std::shared_ptr<Backend> MakeBackend(std::shared_ptr<store::Store> store,
                                     std::shared_ptr<provision::Sandboxes> sandboxes);

}  // namespace cordon::preview
