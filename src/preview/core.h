// What all connections of one proxy have in common. Of its I/O thread alone, but for `io`,
// `workers` and `backend`.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "net/worker_pool.h"
#include "preview/access.h"
#include "preview/backend.h"
#include "preview/message.h"
#include "preview/preview_url.h"

namespace cordon::preview {

class Session;
class Target;

// What the server inside is told as Host.
enum class HostInside {
  kAsVisited,  // what the visitor sees
  kLocal,      // localhost:PORT, which development servers take without being told
};

struct ProxyLimits {
  std::size_t connections = 16'384;
  std::size_t connections_of_one = 4'096;  // to one sandbox
  std::size_t head = std::size_t{32} << 10;
  std::chrono::seconds head_time{10};       // for a whole head, from its first byte
  std::chrono::seconds idle_time{75};       // between requests
  std::chrono::seconds stall_time{60};      // of a body that does not move, or is not taken
  std::chrono::seconds reply_time{300};     // until a reply begins
  std::chrono::seconds silence{2 * 3600};   // of a tunnel or a stream
  std::chrono::milliseconds pooled{4'000};  // below what servers wait; Node waits 5 s
  std::size_t pooled_of_one = 64;
  std::chrono::seconds lease{10};  // without traffic; then the sandbox may be idle
};

using Clock = std::chrono::steady_clock;

struct Core {
  boost::asio::io_context io{1};
  ProxyLimits limits;
  UrlTerms urls;
  HostInside host_inside = HostInside::kLocal;
  std::string frame_ancestors = "'self'";
  std::shared_ptr<Backend> backend;
  // Whose token an Authorization field holds; quick.
  std::function<std::optional<std::string>(std::string_view)> user_of;
  std::function<UnixSeconds()> now;
  std::optional<AccessKey> key;
  std::optional<net::WorkerPool> workers;

  std::unordered_map<Session*, std::shared_ptr<Session>> sessions;
  std::unordered_map<std::string, std::shared_ptr<Target>> targets;  // by id
  bool closing = false;

  // For one call at a time: nothing in here outlives it.
  static constexpr std::size_t kScratch = std::size_t{256} << 10;
  std::vector<char> scratch = std::vector<char>(kScratch);
  std::vector<std::string_view> content, pieces;
  Head head;
  std::string text;
};

}  // namespace cordon::preview
