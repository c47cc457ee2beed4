// Sandboxes that are there at once: directories of a test, and programs that only say what they
// were.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "provision/sandboxes.h"

namespace cordon::test {

// Prints its last argument, or what was written to it.
class FakeExec final : public provision::Exec {
 public:
  explicit FakeExec(const provision::ExecTerms& terms) : terms_(terms) {}
  Result<std::optional<Piece>> Read() override {
    if (std::exchange(told_, true)) return std::optional<Piece>();
    return std::optional<Piece>(
        Piece{Stream::kOut, "ran " + terms_.arguments.back() + " in " + terms_.directory});
  }
  Status Write(std::string_view) override { return {}; }
  void CloseInput() override {}
  Status Resize(const provision::TerminalSize&) override { return {}; }
  void Kill() override {}
  Result<provision::ExecEnd> Wait() override { return provision::ExecEnd{}; }

 private:
  const provision::ExecTerms terms_;
  bool told_ = false;
};

class FakeDriver final : public provision::Driver {
 public:
  provision::FileAccess files;                                            // of every sandbox
  std::function<Result<std::unique_ptr<provision::ToolStream>>()> tools;  // unset: there are none
  int started = 0;

  std::string_view name() const override { return "fake"; }
  Status Probe() override { return {}; }
  Result<provision::Facts> Create(const provision::Terms&) override { return provision::Facts{}; }
  Result<std::vector<provision::Found>> List() override { return std::vector<provision::Found>(); }
  Result<provision::Facts> Adopt(const SandboxId&) override { return provision::Facts{}; }
  Status Destroy(const SandboxId&) override { return {}; }
  Result<provision::Ending> Autopsy(const SandboxId&) override { return provision::Ending{}; }
  Status Pause(const SandboxId&) override { return {}; }
  Status Resume(const SandboxId&) override { return {}; }
  Result<std::unique_ptr<provision::Exec>> Start(const SandboxId&,
                                                 const provision::ExecTerms& terms) override {
    ++started;
    return std::unique_ptr<provision::Exec>(std::make_unique<FakeExec>(terms));
  }
  Result<provision::Usage> Inspect(const SandboxId&) override { return provision::Usage{}; }
  Status Signal(const SandboxId&, std::uint32_t, int) override { return {}; }
  Result<platform::UniqueFd> Connect(const SandboxId&, std::uint16_t) override {
    return platform::UniqueFd();
  }
  Result<std::unique_ptr<provision::ToolStream>> Tools(const SandboxId& id) override {
    return tools ? tools() : provision::Driver::Tools(id);
  }
  Result<provision::FileAccess> Files(const SandboxId&) override { return files; }
  void Watch(OnDeath) override {}
};

class FakeSandboxes final : public provision::Sandboxes {
 public:
  explicit FakeSandboxes(std::shared_ptr<FakeDriver> driver) : driver_(std::move(driver)) {}
  std::optional<Error> failure;  // of the next creation

  Result<store::Sandbox> Begin(const provision::For& whose, const provision::Wish& wish) override {
    return Create(whose, wish);
  }
  Result<store::Sandbox> Create(const provision::For& whose, const provision::Wish&) override {
    if (failure) return *failure;
    std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
    random[0] = ++last_;
    store::Sandbox sandbox{SandboxId::FromRandom(random), whose.user, whose.conversation, "fake"};
    sandbox.state = store::SandboxState::kReady;
    all_.insert_or_assign(sandbox.id, sandbox);
    return sandbox;
  }
  Result<store::Sandbox> Find(std::string_view user, const SandboxId& id) override {
    const auto found = all_.find(id);
    Error error;
    error.code = ErrorCode::kNotFound;
    if (found == all_.end() || found->second.user != user) return error;
    return found->second;
  }
  Result<std::vector<store::Sandbox>> List(const store::SandboxFilter& filter) override {
    std::vector<store::Sandbox> found;
    for (const auto& [id, one] : all_) {
      if (!filter.user || *filter.user == one.user) found.push_back(one);
    }
    return found;
  }
  Status End(std::string_view user, const SandboxId& id, std::string_view reason) override {
    auto found = Find(user, id);
    if (!found) return found.error();
    found->state = store::SandboxState::kTerminated;
    found->reason = reason;
    all_.insert_or_assign(id, *found);
    return {};
  }
  Result<store::Sandbox> Pause(std::string_view user, const SandboxId& id) override {
    return Find(user, id);
  }
  Result<store::Sandbox> Resume(std::string_view user, const SandboxId& id) override {
    return Find(user, id);
  }
  Result<store::Sandbox> Renew(std::string_view user, const SandboxId& id,
                               std::chrono::seconds) override {
    return Find(user, id);
  }
  void CheckNow() override {}
  Result<Lease> Use(std::string_view user, const SandboxId& id) override {
    auto found = Find(user, id);
    Error error;
    error.code = ErrorCode::kSandboxRequired;
    if (!found || found->state != store::SandboxState::kReady) return error;
    return Lease{*found, driver_, nullptr};
  }
  std::size_t count() const { return all_.size(); }

 private:
  const std::shared_ptr<FakeDriver> driver_;
  std::map<SandboxId, store::Sandbox> all_;
  std::uint8_t last_ = 0;
};

}  // namespace cordon::test
