#include "provision/watch.h"

#include <utility>

namespace cordon::provision {

Watch::Watch(Common& common, Health& health) : common_(common), health_(health) {}

Watch::~Watch() {
  {
    const std::lock_guard<std::mutex> lock(notices_->mutex);
    notices_->stop = true;
    notices_->came.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Watch::Listen() {
  for (const auto& driver : common_.drivers) {
    driver->Watch([notices = notices_](const SandboxId& id) {
      const std::lock_guard<std::mutex> lock(notices->mutex);
      if (notices->stop) return;
      notices->ids.push_back(id);
      notices->came.notify_all();
    });
  }
}

void Watch::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Watch::AttendToDead() {
  std::deque<SandboxId> dead;
  {
    const std::lock_guard<std::mutex> lock(notices_->mutex);
    dead.swap(notices_->ids);
  }
  for (const SandboxId& id : dead) health_.LookAtDead(id);
}

void Watch::Run() {
  auto next = std::chrono::steady_clock::now() + common_.policy.check;
  while (true) {
    {
      std::unique_lock<std::mutex> lock(notices_->mutex);
      notices_->came.wait_until(lock, next,
                                [&] { return notices_->stop || !notices_->ids.empty(); });
      if (notices_->stop) return;
    }
    AttendToDead();
    if (std::chrono::steady_clock::now() < next) continue;
    health_.Look();
    next = std::chrono::steady_clock::now() + common_.policy.check;
  }
}

}  // namespace cordon::provision
