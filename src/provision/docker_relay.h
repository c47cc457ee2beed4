// Streams between sockets here and ports in containers, moved by one thread over one
// `cordon-tools relay` in each.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/socket_pair.h"
#include "provision/docker_streams.h"

namespace cordon::provision {

// Guarantees: holds 256 KiB of each direction of a stream at most; who reads slowly slows his own
//   peer alone; what comes from a container breaks its own streams at worst.
// Thread safety: all methods may run concurrently.
class DockerRelay {
 public:
  static Result<std::unique_ptr<DockerRelay>> Start();
  ~DockerRelay();  // ends all streams
  DockerRelay(const DockerRelay&) = delete;
  DockerRelay& operator=(const DockerRelay&) = delete;

  using LineStarter = std::function<Result<std::shared_ptr<DockerStream>>()>;
  // `start` starts the relay in the sandbox if there is none. Errors: its; kNotFound when nobody
  // listens; kTimeout.
  Result<platform::UniqueFd> Connect(const SandboxId& sandbox, std::uint16_t port,
                                     const LineStarter& start);

 private:
  struct Line;
  struct Arriving {
    std::uint16_t port = 0;
    platform::UniqueFd local;
    std::promise<bool> opened;
  };
  DockerRelay() = default;
  Result<std::shared_ptr<Line>> LineTo(const SandboxId& sandbox, const LineStarter& start);
  void Work();
  std::vector<std::shared_ptr<Line>> TakeLines();
  void WakeUp();

  platform::SocketPair wake_;
  std::mutex mutex_;
  std::map<SandboxId, std::shared_ptr<Line>> lines_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace cordon::provision
