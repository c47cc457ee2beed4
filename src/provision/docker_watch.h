// Tells of containers that die, from the engine's events; what was missed while the engine could
// not be heard is found out afterwards.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "provision/docker_api.h"
#include "provision/driver.h"

namespace cordon::provision {

// Thread safety: all methods may run concurrently. `died` runs in this object's thread.
class DockerWatch {
 public:
  DockerWatch(const DockerApi& api, std::string label, Driver::OnDeath died);
  ~DockerWatch();
  DockerWatch(const DockerWatch&) = delete;
  DockerWatch& operator=(const DockerWatch&) = delete;

  // From now on its death is told, once.
  void Expect(const SandboxId& id);
  // It is ended on purpose.
  void Forget(const SandboxId& id);

 private:
  void Work();
  void Listen();
  // Tells of those that are expected and not alive.
  void Compare();
  void TakeLine(std::string_view line);
  void Died(const SandboxId& id);
  bool Pause();  // false: it ends

  const DockerApi& api_;
  const std::string label_;
  const Driver::OnDeath died_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::set<SandboxId> expected_;
  std::shared_ptr<net::HttpIncoming> events_;
  std::thread thread_;
};

}  // namespace cordon::provision
