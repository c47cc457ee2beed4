#include "net/egress_proxy.h"

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "base/try.h"
#include "net/egress_core.h"
#include "net/egress_http.h"
#include "net/egress_socks.h"
#include "platform/local_socket.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr int kAtOnce = 32;  // newcomers, before others have their turn
constexpr std::chrono::milliseconds kPause{100};

Error NotServing(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "egress";
  error.detail = std::move(detail);
  return error;
}

// One of the two sockets at which clients come in.
struct Door {
  using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;
  enum class Speech { kHttp, kSocks };

  Door(asio::io_context& io, Speech speech_in) : acceptor(io), speech(speech_in) {}

  Acceptor acceptor;
  Speech speech;
  bool waiting = false;
};

class Proxy final : public EgressProxy {
 public:
  explicit Proxy(Parts& parts)
      : core_(std::move(parts.rules), std::move(parts.observer), std::move(parts.world),
              parts.limits) {}
  ~Proxy() override {
    try {
      Stop();
    } catch (...) {
      std::terminate();  // no memory to end in order: nothing half closed may go on
    }
  }
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  Status Begin(Parts& parts);
  std::size_t connections() const override { return core_.count; }

 private:
  static Status Open(Door& door, platform::UniqueFd& listener);
  void Stop();
  void Run();
  void WaitForAll();
  void Wait(Door& door);
  void AcceptSome(Door& door);
  void MakeRoom();
  void Welcome(const Door& door, platform::UniqueFd socket);

  EgressCore core_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{core_.io.get_executor()};
  std::array<Door, 2> doors_ = {Door(core_.io, Door::Speech::kHttp),
                                Door(core_.io, Door::Speech::kSocks)};
  asio::steady_timer pause_{core_.io};
  bool closing_ = false;
  std::thread thread_;
};

Status Proxy::Open(Door& door, platform::UniqueFd& listener) {
  if (!listener.valid()) return {};
  error_code failed;
  door.acceptor.assign(asio::ip::tcp::v4(), listener.get(), failed);
  if (failed) return NotServing(ErrorCode::kIoError, failed.message());
  static_cast<void>(listener.release());
  const auto bound = door.acceptor.local_endpoint(failed);
  const int family = bound.protocol().family();
  if (failed ||
      (family != asio::ip::tcp::v4().family() && family != asio::ip::tcp::v6().family())) {
    return NotServing(ErrorCode::kInvalidArguments, "this is no TCP socket");
  }
  door.acceptor.native_non_blocking(true, failed);
  if (failed) return NotServing(ErrorCode::kIoError, failed.message());
  return {};
}

Status Proxy::Begin(Parts& parts) {
  if (!parts.http_listener.valid() && !parts.socks_listener.valid()) {
    return NotServing(ErrorCode::kInvalidArguments, "there is no socket to listen at");
  }
  TRY(Open(doors_[0], parts.http_listener));
  TRY(Open(doors_[1], parts.socks_listener));
  core_.room = [this] { WaitForAll(); };
  WaitForAll();
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    return NotServing(ErrorCode::kLimitExceeded, "no thread left");
  }
  return {};
}

// Everything is closed, then the thread runs out of work: nothing is left half done.
void Proxy::Stop() {
  if (!thread_.joinable()) return;
  asio::post(core_.io, [this] {
    closing_ = true;
    error_code ignored;
    for (Door& door : doors_) door.acceptor.close(ignored);
    pause_.cancel();
    while (!core_.sessions.empty()) {
      const std::shared_ptr<EgressSession> session = core_.sessions.begin()->second;
      session->Close();
    }
    work_.reset();
  });
  thread_.join();
}

void Proxy::Run() {
  for (;;) {
    try {
      core_.io.run();
      return;
    } catch (...) {  // out of memory for one client: the others are still to be served
      continue;
    }
  }
}

void Proxy::WaitForAll() {
  for (Door& door : doors_) Wait(door);
}

// Who comes when there is no room waits in the system's queue.
void Proxy::Wait(Door& door) {
  if (closing_ || door.waiting || !door.acceptor.is_open()) return;
  door.waiting = true;
  door.acceptor.async_wait(Door::Acceptor::wait_read, [this, &door](const error_code& failed) {
    door.waiting = false;
    if (!failed && !closing_) AcceptSome(door);
  });
}

// Clients between two requests lose nothing when they are cut off.
void Proxy::MakeRoom() {
  for (const auto& [key, session] : core_.sessions) {
    if (!session->idle()) continue;
    const std::shared_ptr<EgressSession> kept = session;
    return kept->Close();
  }
}

void Proxy::AcceptSome(Door& door) {
  for (int count = 0; count < kAtOnce; ++count) {
    if (core_.sessions.size() >= core_.limits.connections) MakeRoom();
    if (core_.sessions.size() >= core_.limits.connections) return;  // `room` goes on
    Result<platform::UniqueFd> next = platform::AcceptConnection(door.acceptor.native_handle());
    if (!next && next.error().code == ErrorCode::kTimeout) break;
    if (!next) {
      // Trying at once would spin.
      pause_.expires_after(kPause);
      pause_.async_wait([this](const error_code& aborted) {
        if (!aborted) WaitForAll();
      });
      return;
    }
    try {
      Welcome(door, std::move(*next));
    } catch (...) {  // out of memory: the next one may have more luck
      continue;
    }
  }
  Wait(door);
}

void Proxy::Welcome(const Door& door, platform::UniqueFd socket) {
  EgressSession::Socket client(core_.io);
  error_code failed;
  client.assign(asio::ip::tcp::v4(), socket.get(), failed);
  if (failed) return;
  static_cast<void>(socket.release());
  client.set_option(asio::ip::tcp::no_delay(true), failed);
  if (door.speech == Door::Speech::kHttp) {
    EgressSession::Welcome(std::make_shared<EgressHttp>(core_, std::move(client)));
  } else {
    EgressSession::Welcome(std::make_shared<EgressSocks>(core_, std::move(client)));
  }
}

}  // namespace

Result<std::unique_ptr<EgressProxy>> EgressProxy::Start(Parts parts) {
  auto proxy = std::make_unique<Proxy>(parts);
  TRY(proxy->Begin(parts));
  return std::unique_ptr<EgressProxy>(std::move(proxy));
}

}  // namespace cordon::net
