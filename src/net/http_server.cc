#include "net/http_server.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "net/http_core.h"
#include "net/http_listener.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr int kAtOnce = 32;  // newcomers, before others have their turn
constexpr std::chrono::milliseconds kPause{100};
constexpr std::chrono::milliseconds kLastWords{500};  // to be sent, and read

class Server final : public HttpServer {
 public:
  Server(const HttpLimits& limits, HttpHandler handler, HttpGate gate) {
    core_.limits = limits;
    core_.unsent = std::make_shared<Unsent>(limits.all_unsent);
    core_.handler = std::move(handler);
    core_.gate = std::move(gate);
  }
  ~Server() override {
    try {
      Stop();
    } catch (...) {
      std::terminate();  // no memory to end in order: nothing half closed may go on
    }
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status Listen(const HttpAddress& address);

  std::string address() const override { return listener_.address(); }
  std::uint16_t port() const override { return listener_.port(); }
  std::size_t connections() const override { return core_.count; }

 private:
  void Stop();
  std::vector<std::shared_ptr<HttpConnection>> All() const;
  void Run();
  void Wait();
  void AcceptSome();
  bool MakeRoom();

  HttpCore core_;
  HttpListener listener_{core_.io};
  asio::steady_timer pause_{core_.io};
  std::thread thread_;
};

Status Server::Listen(const HttpAddress& address) {
  TRY(listener_.Listen(address));
  Wait();
  thread_ = std::thread([this] { Run(); });
  return {};
}

std::vector<std::shared_ptr<HttpConnection>> Server::All() const {
  std::vector<std::shared_ptr<HttpConnection>> all;
  for (const auto& [key, connection] : core_.connections) all.push_back(connection);
  return all;
}

// Everything is closed, then the thread runs out of work: nothing is left half done.
void Server::Stop() {
  if (!thread_.joinable()) return;
  asio::post(core_.io, [this] {
    core_.closing = true;
    error_code ignored;
    listener_.acceptor().close(ignored);
    pause_.cancel();
    for (const auto& connection : All()) connection->Leave();
    if (core_.connections.empty()) return;
    core_.last_words.expires_after(kLastWords);
    core_.last_words.async_wait([this](const error_code& /*or nobody is left*/) {
      for (const auto& connection : All()) connection->Close();
    });
  });
  thread_.join();
}

void Server::Run() {
  for (;;) {
    try {
      core_.io.run();
      return;
    } catch (...) {  // out of memory for one client: the others are still to be served
      continue;
    }
  }
}

void Server::Wait() {
  if (core_.closing) return;
  listener_.acceptor().async_wait(HttpListener::Acceptor::wait_read,
                                  [this](const error_code& failed) {
                                    if (failed || core_.closing) return;
                                    AcceptSome();
                                  });
}

// Whoever has not shown who they are cannot keep others out by being many and slow.
bool Server::MakeRoom() {
  for (std::list<HttpConnection*>* const line : {&core_.strangers, &core_.idle}) {
    if (line->empty()) continue;
    line->front()->Close();
    return true;
  }
  return false;
}

void Server::AcceptSome() {
  for (int count = 0; count < kAtOnce; ++count) {
    Result<platform::UniqueFd> next = listener_.Accept();
    if (!next && next.error().code == ErrorCode::kTimeout) break;
    if (!next && (next.error().code != ErrorCode::kLimitExceeded || !MakeRoom())) {
      // Trying at once would spin.
      pause_.expires_after(kPause);
      pause_.async_wait([this](const error_code& aborted) {
        if (!aborted) Wait();
      });
      return;
    }
    if (!next || !next->valid()) continue;
    if (core_.connections.size() >= core_.limits.connections && !MakeRoom()) continue;  // closes it
    try {
      HttpConnection::Welcome(core_, std::move(*next), listener_.kind());
    } catch (...) {  // out of memory: the next one may have more luck
      continue;
    }
  }
  Wait();
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(const HttpAddress& address,
                                                      const HttpLimits& limits, HttpHandler handler,
                                                      HttpGate gate) {
  auto server = std::make_unique<Server>(limits, std::move(handler), std::move(gate));
  TRY(server->Listen(address));
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace cordon::net
