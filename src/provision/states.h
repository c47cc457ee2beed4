// Every change of a sandbox's state: written to the store, then told.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cordon/result.h"
#include "store/records.h"
#include "store/store.h"

namespace cordon::provision {

// Thread safety: all methods may run concurrently.
class States {
 public:
  using Clock = std::function<store::Time()>;
  using Changed = std::function<void(const store::Sandbox&)>;
  States(std::shared_ptr<store::Store> store, Clock now, Changed changed);

  store::Store& store() const { return *store_; }
  store::Time now() const { return now_(); }

  // As Store::AddSandbox, and told.
  Status Add(const store::Sandbox& sandbox, std::size_t most);
  // Has `edit` change it, if its state is one of `from`; anew, when it was changed meanwhile.
  // Errors: kStaleFile when its state is another; kNotFound.
  Result<store::Sandbox> Move(const SandboxId& id, const std::vector<store::SandboxState>& from,
                              const std::function<void(store::Sandbox&)>& edit);
  // For a change that the store made itself.
  void Tell(const store::Sandbox& sandbox) const;

  // Every sandbox that fits, however many pages that takes.
  Result<std::vector<store::Sandbox>> All(store::SandboxFilter filter);

 private:
  std::shared_ptr<store::Store> store_;
  Clock now_;
  Changed changed_;
};

}  // namespace cordon::provision
