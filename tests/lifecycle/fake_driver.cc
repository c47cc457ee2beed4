#include "tests/lifecycle/fake_driver.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/try.h"
#include "provision/fault_point.h"

namespace cordon::provision {
namespace {

Error Fault(ErrorCode code, const char* detail) {
  Error error;
  error.code = code;
  error.op = "fake";
  error.detail = detail;
  return error;
}

Facts FactsOf(const SandboxId& id) {
  Facts facts;
  facts.isolation = Isolation::kKernelLine;
  facts.isolation_detail = "none at all";
  facts.handle = "fake-" + id.text();
  return facts;
}

Liveness LivenessOf(const std::string& state) {
  if (state == "running") return Liveness::kRunning;
  return state == "paused" ? Liveness::kPaused : Liveness::kDead;
}

}  // namespace

FakeDriver::FakeDriver(std::string directory, std::string name)
    : directory_(std::move(directory)), name_(std::move(name)) {}

void FakeDriver::Behave(const Manners& manners) {
  const std::lock_guard<std::mutex> lock(mutex_);
  manners_ = manners;
  ++behaved_;
  changed_.notify_all();
}

void FakeDriver::AwaitCreations(std::size_t count) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return under_way_ >= count; });
}

std::string FakeDriver::At(const SandboxId& id) const { return directory_ + "/" + id.text(); }

std::string FakeDriver::Read(const SandboxId& id) const {
  std::string state;
  std::ifstream(At(id)) >> state;
  return state;
}

// By way of another name, so that a kill leaves the old or the new.
void FakeDriver::Write(const SandboxId& id, const std::string& state) const {
  const std::string aside = At(id) + ".tmp";
  std::ofstream(aside) << state;
  std::filesystem::rename(aside, At(id));
}

Result<Facts> FakeDriver::Create(const Terms& terms) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!Read(terms.id).empty()) return Fault(ErrorCode::kAlreadyExists, "it is there already");
  const Manners manners = manners_;
  const std::uint64_t behaved = behaved_;
  ++under_way_;
  changed_.notify_all();
  Write(terms.id, "half");
  lock.unlock();
  FaultPoint("fake.half_made");
  std::this_thread::sleep_for(manners.slowness);
  lock.lock();
  if (manners.creation == Manners::Creation::kHangs) {
    changed_.wait(lock, [&] { return behaved_ != behaved; });
  }
  --under_way_;
  if (manners.creation == Manners::Creation::kFails) {
    std::filesystem::remove(At(terms.id));
    return Fault(ErrorCode::kIoError, "it was told to fail");
  }
  // Against its contract: what it began is still there.
  if (manners.creation == Manners::Creation::kFailsDirty) {
    return Fault(ErrorCode::kIoError, "it was told to fail, and left something");
  }
  ++created_;
  Write(terms.id, "running");
  lock.unlock();
  FaultPoint("fake.made");
  return FactsOf(terms.id);
}

Result<std::vector<Found>> FakeDriver::List() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (manners_.list == Manners::Rest::kFails) return Fault(ErrorCode::kIoError, "no list");
  std::vector<Found> all;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    const auto id = SandboxId::Parse(entry.path().filename().string());
    if (!id) continue;
    Found found{*id, "fake-" + id->text()};
    const std::string state = Read(*id);
    found.liveness = LivenessOf(state);
    if (state == "half") found.making = Found::Making::kHalfDone;
    all.push_back(found);
  }
  return all;
}

Result<Facts> FakeDriver::Adopt(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (manners_.adopt == Manners::Rest::kFails) return Fault(ErrorCode::kIoError, "not adopted");
  if (LivenessOf(Read(id)) == Liveness::kDead) return Fault(ErrorCode::kNotFound, "none alive");
  ++adopted_;
  return FactsOf(id);
}

Status FakeDriver::Destroy(const SandboxId& id) {
  FaultPoint("fake.destroying");
  const std::lock_guard<std::mutex> lock(mutex_);
  if (manners_.destroy == Manners::Rest::kFails) return Fault(ErrorCode::kIoError, "it stays");
  std::filesystem::remove(At(id));
  endings_.erase(id);
  return {};
}

Result<Ending> FakeDriver::Autopsy(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Read(id).empty()) return Fault(ErrorCode::kNotFound, "none");
  const auto known = endings_.find(id);
  if (known != endings_.end()) return known->second;
  Ending ending;
  ending.last_lines = "the last line of " + id.text();
  return ending;
}

Status FakeDriver::MoveTo(const SandboxId& id, const std::string& from, const std::string& to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (manners_.pause == Manners::Rest::kFails) return Fault(ErrorCode::kIoError, "told to fail");
  const std::string state = Read(id);
  if (state.empty()) return Fault(ErrorCode::kNotFound, "none");
  if (state == to) return {};
  if (state != from) return Fault(ErrorCode::kIoError, "it is dead");
  Write(id, to);
  return {};
}

Status FakeDriver::Pause(const SandboxId& id) { return MoveTo(id, "running", "paused"); }
Status FakeDriver::Resume(const SandboxId& id) { return MoveTo(id, "paused", "running"); }

void FakeDriver::Die(const SandboxId& id, const Ending& ending, Telling telling) {
  OnDeath told;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (Read(id).empty()) return;
    Write(id, "dead");
    endings_[id] = ending;
    if (telling == Telling::kTold) told = died_;
  }
  if (told) told(id);
}

void FakeDriver::Vanish(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::filesystem::remove(At(id));
}

Result<Usage> FakeDriver::Inspect(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Read(id).empty()) return Fault(ErrorCode::kNotFound, "none");
  return Usage();
}

void FakeDriver::Watch(OnDeath died) {
  const std::lock_guard<std::mutex> lock(mutex_);
  died_ = std::move(died);
}

// What the life cycle never asks for.
Result<std::unique_ptr<Exec>> FakeDriver::Start(const SandboxId& /*id*/,
                                                const ExecTerms& /*terms*/) {
  return Fault(ErrorCode::kUnsupported, "a fake runs nothing");
}
Status FakeDriver::Signal(const SandboxId& /*id*/, std::uint32_t /*process*/, int /*signal*/) {
  return Fault(ErrorCode::kUnsupported, "a fake runs nothing");
}
Result<platform::UniqueFd> FakeDriver::Connect(const SandboxId& /*id*/, std::uint16_t /*port*/) {
  return Fault(ErrorCode::kUnsupported, "a fake runs nothing");
}
Result<FileAccess> FakeDriver::Files(const SandboxId& /*id*/) {
  return Fault(ErrorCode::kUnsupported, "a fake has no files");
}

}  // namespace cordon::provision
