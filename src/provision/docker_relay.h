// Streams between sockets here and programs in containers, moved by one thread.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cordon/result.h"
#include "platform/socket_pair.h"
#include "provision/docker_streams.h"

namespace cordon::provision {

// Guarantees: holds 128 KiB of each stream at most; who reads slowly slows his own peer alone.
// Thread safety: all methods may run concurrently.
class DockerRelay {
 public:
  static Result<std::unique_ptr<DockerRelay>> Start();
  ~DockerRelay();  // ends all streams
  DockerRelay(const DockerRelay&) = delete;
  DockerRelay& operator=(const DockerRelay&) = delete;

  // Bytes from `local` become the program's input, its output bytes for `local`.
  void Join(std::unique_ptr<DockerStream> stream, platform::UniqueFd local, std::string early);

 private:
  struct Joined;
  DockerRelay() = default;
  void Work();

  platform::SocketPair wake_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Joined>> arriving_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace cordon::provision
