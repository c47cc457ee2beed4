#include "provision/death_watch.h"

#include <array>
#include <utility>
#include <vector>

#include "base/try.h"
#include "platform/broken_pipe.h"
#include "platform/file_io.h"
#include "platform/wait_events.h"

namespace cordon::provision {

Result<std::unique_ptr<DeathWatch>> DeathWatch::Start(OnDeath died) {
  TRY_ASSIGN(platform::Pipe wake, platform::MakePipe());
  return std::unique_ptr<DeathWatch>(new DeathWatch(std::move(wake), std::move(died)));
}

DeathWatch::DeathWatch(platform::Pipe wake, OnDeath died)
    : wake_(std::move(wake)),
      died_(std::move(died)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

DeathWatch::~DeathWatch() {
  thread_.request_stop();
  Wake();
}

void DeathWatch::Wake() {
  // Nobody reads it only when the thread has ended.
  static_cast<void>(platform::WriteWithoutSignal(wake_.write.get(), "w"));
}

void DeathWatch::Add(const SandboxId& id, int gone) {
  {
    const std::lock_guard lock(mutex_);
    watched_[id] = gone;
  }
  Wake();
}

void DeathWatch::Forget(const SandboxId& id) {
  const std::lock_guard told(telling_);
  {
    const std::lock_guard lock(mutex_);
    watched_.erase(id);
  }
  Wake();
}

void DeathWatch::Run(const std::stop_token& stop) {
  std::vector<SandboxId> ids;
  std::vector<platform::Awaited> awaited;
  while (!stop.stop_requested()) {
    ids.clear();
    awaited.assign(1, {});
    awaited[0].descriptor = wake_.read.get();
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [id, gone] : watched_) {
        ids.push_back(id);
        awaited.push_back({gone});
      }
    }
    platform::AwaitAny(awaited, std::nullopt);
    std::array<char, 64> taken;
    if (awaited[0].happened && !platform::Read(wake_.read.get(), taken)) return;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!awaited[i + 1].happened) continue;
      const std::lock_guard telling(telling_);
      {
        const std::lock_guard lock(mutex_);
        const auto found = watched_.find(ids[i]);
        if (found == watched_.end() || found->second != awaited[i + 1].descriptor) continue;
        watched_.erase(found);
      }
      if (died_) died_(ids[i]);
    }
  }
}

}  // namespace cordon::provision
