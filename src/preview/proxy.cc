#include "preview/proxy.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <thread>
#include <utility>

#include "base/try.h"
#include "net/http_listener.h"
#include "platform/broken_pipe.h"
#include "platform/local_socket.h"
#include "preview/session.h"
#include "preview/target.h"

namespace cordon::preview {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Acceptor = asio::basic_socket_acceptor<Protocol>;

constexpr std::chrono::seconds kSweep{1};
constexpr std::chrono::milliseconds kBreath{100};  // when no descriptor is left
constexpr net::WorkerPool::Limits kWorkers{32, 8192};
constexpr int kAcceptedAtOnce = 64;

// The address of who connected, as text.
std::string AddressOf(Wire::Socket& socket) {
  error_code failed;
  const Protocol::endpoint remote = socket.remote_endpoint(failed);
  asio::ip::tcp::endpoint endpoint;
  if (failed || remote.size() == 0 || remote.size() > endpoint.capacity()) return "unknown";
  endpoint.resize(remote.size());
  std::copy_n(reinterpret_cast<const char*>(remote.data()), remote.size(),
              reinterpret_cast<char*>(endpoint.data()));
  return endpoint.address().to_string(failed);
}

// One way in, and the visitors that come by it.
class Entry : public std::enable_shared_from_this<Entry> {
 public:
  Entry(Core& core, Acceptor& acceptor, Door door)
      : core_(core), acceptor_(acceptor), door_(std::move(door)), breath_(core.io) {}

  // Set before it begins, and for TLS alone.
  std::function<std::unique_ptr<Wire>(Wire::Socket)> dress = MakePlainWire;

  void Wait() {
    acceptor_.async_wait(Acceptor::wait_read,
                         [self = shared_from_this()](const error_code& failed) {
                           if (!failed && !self->closed_) self->TakeAll();
                         });
  }
  void Close() {
    closed_ = true;
    breath_.cancel();
  }

 private:
  void TakeAll() {
    for (int i = 0; i < kAcceptedAtOnce; ++i) {
      auto next = platform::AcceptConnection(acceptor_.native_handle());
      if (next) {
        Welcome(std::move(*next));
      } else if (next.error().code == ErrorCode::kLimitExceeded) {
        return Breathe();
      } else {
        break;
      }
    }
    Wait();
  }
  void Breathe() {
    breath_.expires_after(kBreath);
    breath_.async_wait([self = shared_from_this()](const error_code& failed) {
      if (!failed && !self->closed_) self->Wait();
    });
  }
  void Welcome(platform::UniqueFd descriptor) {
    if (core_.sessions.size() >= core_.limits.connections) return;
    Wire::Socket socket(core_.io);
    error_code failed;
    socket.assign(Protocol(asio::ip::tcp::v4()), descriptor.get(), failed);
    if (failed) return;
    static_cast<void>(descriptor.release());
    std::string address = AddressOf(socket);
    std::unique_ptr<Wire> wire = dress(std::move(socket));
    if (!wire) return;
    std::make_shared<Session>(core_, std::move(wire), door_, std::move(address))->Begin();
  }

  Core& core_;
  Acceptor& acceptor_;
  const Door door_;
  asio::steady_timer breath_;
  bool closed_ = false;
};

// A port of this machine that is one sandbox's.
struct OwnDoor {
  explicit OwnDoor(asio::io_context& io) : acceptor(io) {}
  Acceptor acceptor;
  std::shared_ptr<Entry> entry;
};

class Running final : public Proxy {
 public:
  explicit Running(ProxyParts parts);
  ~Running() override;
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Status Listen(const net::HttpAddress& address);
  std::string address() const override { return names_.address(); }
  std::uint16_t port() const override { return names_.port(); }
  void Open(const SandboxId& id, Ports::Reserved reserved) override;
  void Changed(const store::Sandbox& sandbox) override;
  void FramedBy(std::string origin) override;
  void Use(std::shared_ptr<TlsIdentity> identity) override;

 private:
  void Sweep();
  void OpenNow(const SandboxId& id, Ports::Reserved reserved);
  void ChangeNow(const store::Sandbox& sandbox);
  void Stop();
  std::vector<Session*> Sessions() const;

  Core core_;
  net::HttpListener names_{core_.io};
  std::shared_ptr<Entry> by_name_;
  std::shared_ptr<TlsIdentity> identity_;
  std::map<SandboxId, std::unique_ptr<OwnDoor>> doors_;
  asio::steady_timer sweep_{core_.io};
  asio::executor_work_guard<asio::io_context::executor_type> work_{core_.io.get_executor()};
  std::jthread thread_;
};

Running::Running(ProxyParts parts) {
  core_.limits = parts.limits;
  core_.urls = std::move(parts.urls);
  core_.host_inside = parts.host_inside;
  core_.frame_ancestors = std::move(parts.frame_ancestors);
  core_.backend = std::move(parts.backend);
  core_.user_of = std::move(parts.user_of);
  core_.now = std::move(parts.now);
  core_.key = std::move(parts.key);
  core_.workers.emplace(kWorkers);
  identity_ = std::move(parts.identity);
}

Status Running::Listen(const net::HttpAddress& address) {
  TRY(names_.Listen(address));
  core_.urls.listening = names_.port();
  // In production TLS may end before us: visitors see it all the same.
  const bool secure = core_.urls.mode == Mode::kProduction;
  by_name_ = std::make_shared<Entry>(core_, names_.acceptor(), Door{secure ? "https" : "http"});
  if (identity_) {
    by_name_->dress = [this](Wire::Socket socket) { return identity_->Accept(std::move(socket)); };
  }
  by_name_->Wait();
  Sweep();
  thread_ = std::jthread([this] {
    platform::HoldBackPipeSignals();
    core_.io.run();
  });
  return {};
}

Running::~Running() {
  try {
    asio::post(core_.io, [this] { Stop(); });
  } catch (...) {  // no memory left to end it well
    core_.io.stop();
  }
  work_.reset();
  if (thread_.joinable()) thread_.join();
  core_.workers.reset();  // what they post is dropped with the context
}

// A copy: those who are told may go.
std::vector<Session*> Running::Sessions() const {
  std::vector<Session*> all;
  for (const auto& [session, held] : core_.sessions) all.push_back(session);
  return all;
}

void Running::Stop() {
  core_.closing = true;
  sweep_.cancel();
  if (by_name_) by_name_->Close();
  error_code ignored;
  names_.acceptor().close(ignored);
  for (auto& [id, door] : doors_) {
    door->entry->Close();
    door->acceptor.close(ignored);
  }
  for (Session* const one : Sessions()) one->Close();
  for (auto& [id, target] : core_.targets) target->Changed(Target::Now::kAsleep);
  core_.io.stop();
}

void Running::Sweep() {
  const auto now = Clock::now();
  for (Session* const one : Sessions()) one->Sweep(now);
  std::erase_if(core_.targets, [now](const auto& entry) { return !entry.second->Sweep(now); });
  sweep_.expires_after(kSweep);
  sweep_.async_wait([this](const error_code& failed) {
    if (!failed) Sweep();
  });
}

void Running::Open(const SandboxId& id, Ports::Reserved reserved) {
  auto held = std::make_shared<Ports::Reserved>(std::move(reserved));
  asio::post(core_.io, [this, id, held] { OpenNow(id, std::move(*held)); });
}

void Running::OpenNow(const SandboxId& id, Ports::Reserved reserved) {
  if (core_.closing) return;
  auto door = std::make_unique<OwnDoor>(core_.io);
  error_code failed;
  door->acceptor.assign(Protocol(asio::ip::tcp::v4()), reserved.listener.get(), failed);
  if (failed) return;
  static_cast<void>(reserved.listener.release());
  door->entry = std::make_shared<Entry>(core_, door->acceptor, Door{"http", id, reserved.port});
  door->entry->Wait();
  doors_[id] = std::move(door);
}

void Running::Changed(const store::Sandbox& sandbox) {
  asio::post(core_.io, [this, sandbox] { ChangeNow(sandbox); });
}

void Running::ChangeNow(const store::Sandbox& sandbox) {
  const bool over =
      store::HasEnded(sandbox.state) || sandbox.state == store::SandboxState::kTerminating;
  if (over) {
    if (const auto door = doors_.find(sandbox.id); door != doors_.end()) {
      door->second->entry->Close();
      error_code ignored;
      door->second->acceptor.close(ignored);
      doors_.erase(door);
    }
  }
  const auto found = core_.targets.find(sandbox.id.text());
  if (found == core_.targets.end()) return;
  const std::shared_ptr<Target> target = found->second;
  if (over) return target->End();
  target->Changed(sandbox.state == store::SandboxState::kReady ? Target::Now::kAwake
                                                               : Target::Now::kAsleep);
}

void Running::FramedBy(std::string origin) {
  asio::post(core_.io, [this, origin = std::move(origin)] {
    core_.frame_ancestors.append(" ").append(origin);
  });
}

void Running::Use(std::shared_ptr<TlsIdentity> identity) {
  asio::post(core_.io,
             [this, identity = std::move(identity)]() mutable { identity_ = std::move(identity); });
}

}  // namespace

Result<std::unique_ptr<Proxy>> Proxy::Start(ProxyParts parts) {
  const net::HttpAddress address = parts.address;
  auto running = std::make_unique<Running>(std::move(parts));
  TRY(running->Listen(address));
  return std::unique_ptr<Proxy>(std::move(running));
}

}  // namespace cordon::preview
