// The terminals of all sandboxes.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/sandbox_id.h"
#include "serve/terminal.h"

namespace cordon::serve {

// Guarantees: one that nobody has looked at for five minutes is ended, so that it does not
//   keep its sandbox in use for ever; one that has ended is kept that long.
// Thread safety: every method may run concurrently.
class Terminals {
 public:
  static constexpr std::size_t kMostInOne = 16;

  Terminals();
  ~Terminals();  // ends them all
  Terminals(const Terminals&) = delete;
  Terminals& operator=(const Terminals&) = delete;

  // Errors: kLimitExceeded.
  Status Add(const SandboxId& sandbox, std::shared_ptr<Terminal> terminal);
  // Null if there is none.
  std::shared_ptr<Terminal> Find(const SandboxId& sandbox, std::string_view id) const;
  std::vector<std::shared_ptr<Terminal>> List(const SandboxId& sandbox) const;
  // False if there was none.
  bool Remove(const SandboxId& sandbox, std::string_view id);
  void Forget(const SandboxId& sandbox);
  // All end, and no more are taken.
  void Close();

 private:
  struct Entry {
    SandboxId sandbox;
    std::shared_ptr<Terminal> terminal;
  };
  void Sweep();
  // Takes those out for which `gone` says so; they end without the lock.
  template <typename Gone>
  bool Drop(Gone gone);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Entry> entries_;
  bool closed_ = false;
  std::jthread sweeper_;
};

}  // namespace cordon::serve
