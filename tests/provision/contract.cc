#include "tests/provision/contract.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>

namespace cordon::provision {
namespace {

struct Shared {
  std::string why_not;
  std::unique_ptr<DriverUnderTest> driver;
};

Shared& TheOne() {
  static Shared shared;
  return shared;
}

}  // namespace

void Contract::SetUpTestSuite() {
  Shared& shared = TheOne();
  if (!shared.driver && shared.why_not.empty()) {
    shared.driver = MakeDriverUnderTest(shared.why_not);
  }
}

void Contract::SetUp() {
  if (!TheOne().driver) GTEST_SKIP() << TheOne().why_not;
}

void Contract::TearDown() {
  if (!TheOne().driver) return;
  for (const SandboxId& id : owned_) {
    const Status destroyed = driver().Destroy(id);
    EXPECT_TRUE(destroyed) << destroyed.error().detail;
    EXPECT_EQ(under_test().LeftOf(id), "");
  }
}

DriverUnderTest& Contract::under_test() { return *TheOne().driver; }

SandboxId Contract::NewId() {
  static std::random_device source;
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(source());
  return SandboxId::FromRandom(random);
}

Terms Contract::TermsFor(const SandboxId& id) {
  Terms terms{id, "", {}, {}, "none", Isolation::kContainer};
  return terms;
}

SandboxId Contract::Made() { return Made(TermsFor(NewId())); }

SandboxId Contract::Made(Terms terms) {
  owned_.push_back(terms.id);
  const auto facts = driver().Create(terms);
  if (!facts) {
    ADD_FAILURE() << "not made: " << facts.error().detail << " (" << facts.error().component << ")";
  }
  return terms.id;
}

ExecTerms Contract::Shell(const std::string& script) {
  ExecTerms terms;
  terms.arguments = {"sh", "-c", script};
  return terms;
}

Outcome Contract::Finish(Exec& exec) {
  Outcome outcome;
  for (;;) {
    const auto piece = exec.Read();
    EXPECT_TRUE(piece) << piece.error().detail;
    if (!piece || !*piece) break;
    ((*piece)->stream == Exec::Stream::kOut ? outcome.out : outcome.err) += (*piece)->bytes;
  }
  const auto end = exec.Wait();
  EXPECT_TRUE(end) << end.error().detail;
  if (end) outcome.end = *end;
  return outcome;
}

Result<Outcome> Contract::Run(const SandboxId& id, const ExecTerms& terms, std::string_view input) {
  auto exec = driver().Start(id, terms);
  if (!exec) return std::move(exec.error());
  std::thread writer([&exec, input] {
    if (!input.empty()) static_cast<void>((*exec)->Write(input));
    (*exec)->CloseInput();
  });
  Outcome outcome = Finish(**exec);
  writer.join();
  return outcome;
}

Outcome Contract::Sh(const SandboxId& id, const std::string& script) {
  auto outcome = Run(id, Shell(script));
  if (outcome) return std::move(*outcome);
  ADD_FAILURE() << script << ": " << outcome.error().detail;
  return {};
}

std::string Contract::Until(Exec& exec, std::string_view text) {
  std::string said;
  while (said.find(text) == std::string::npos) {
    const auto piece = exec.Read();
    if (!piece || !*piece) break;
    said += (*piece)->bytes;
  }
  return said;
}

bool Contract::Eventually(const std::function<bool()>& holds) {
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::seconds(abilities().patience_s);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::size_t Contract::CountOf(const SandboxId& id, std::string_view arguments) {
  const auto usage = driver().Inspect(id);
  if (!usage) return 0;
  std::size_t count = 0;
  for (const Process& process : usage->processes) {
    if (process.arguments.find(arguments) != std::string::npos) ++count;
  }
  return count;
}

std::string Contract::Mark() {
  static std::atomic<int> number = 0;
  return "3" + std::to_string(::getpid()) + "." + std::to_string(100000 + ++number);
}

}  // namespace cordon::provision
