// An egress proxy on loopback, hosts behind it, and names that a test makes up.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/egress_proxy.h"
#include "tests/support/raw_client.h"

namespace cordon::test {

struct Listener {
  platform::UniqueFd socket;
  std::uint16_t port = 0;
};

// `port` 0: any that is free.
inline Listener ListenLoopback(std::string_view address = "127.0.0.1", std::uint16_t port = 0) {
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  ::inet_pton(AF_INET, std::string(address).c_str(), &name.sin_addr);
  Listener made;
  made.socket.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(made.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  EXPECT_EQ(::bind(made.socket.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  EXPECT_EQ(::listen(made.socket.get(), 1024), 0);
  socklen_t size = sizeof name;
  ::getsockname(made.socket.get(), reinterpret_cast<sockaddr*>(&name), &size);
  made.port = ntohs(name.sin_port);
  return made;
}

// A host: one thread for each who connects, until it is dropped.
class LoopHost {
 public:
  using Serve = std::function<void(int socket)>;

  explicit LoopHost(Serve serve, std::string_view address = "127.0.0.1", std::uint16_t port = 0)
      : listener_(ListenLoopback(address, port)), serve_(std::move(serve)) {
    thread_ = std::thread([this] { Accept(); });
  }
  ~LoopHost() {
    ::shutdown(listener_.socket.get(), SHUT_RDWR);
    thread_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
    }
    for (std::thread& one : serving_) one.join();
  }
  LoopHost(const LoopHost&) = delete;
  LoopHost& operator=(const LoopHost&) = delete;

  std::uint16_t port() const { return listener_.port; }
  std::string Port() const { return std::to_string(listener_.port); }
  int visits() const { return visits_; }

  // Says back what it hears, and ends when the other does.
  static void Echo(int socket) {
    char piece[4096];
    for (;;) {
      const ssize_t got = ::recv(socket, piece, sizeof piece, 0);
      if (got <= 0) return;
      if (!SayTo(socket, {piece, static_cast<std::size_t>(got)})) return;
    }
  }
  static bool SayTo(int socket, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // Until `end` has come; what came.
  static std::string HearFrom(int socket, std::string_view end) {
    std::string heard;
    char piece[4096];
    while (heard.find(end) == std::string::npos) {
      const ssize_t got = ::recv(socket, piece, sizeof piece, 0);
      if (got <= 0) break;
      heard.append(piece, static_cast<std::size_t>(got));
    }
    return heard;
  }

 private:
  void Accept() {
    for (;;) {
      const int socket = ::accept4(listener_.socket.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      ++visits_;
      const std::lock_guard lock(mutex_);
      open_.push_back(socket);
      serving_.emplace_back([this, socket] {
        serve_(socket);
        const std::lock_guard closing(mutex_);
        std::erase(open_, socket);
        ::close(socket);
      });
    }
  }

  Listener listener_;
  Serve serve_;
  std::atomic<int> visits_{0};
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> serving_;  // of the accepting thread until it has ended
  std::thread thread_;
};

// What a proxy has told.
class EgressRecorder {
 public:
  void Tell(const net::EgressRequest& request) {
    const std::lock_guard lock(mutex_);
    all_.push_back(request);
    changed_.notify_all();
  }
  // The first `count`, once they are there.
  std::vector<net::EgressRequest> Wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [&] { return all_.size() >= count; });
    EXPECT_GE(all_.size(), count);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<net::EgressRequest> all_;
};

struct ProxyOnLoopback {
  std::unique_ptr<net::EgressProxy> proxy;
  std::uint16_t http = 0;
  std::uint16_t socks = 0;
  std::shared_ptr<EgressRecorder> record = std::make_shared<EgressRecorder>();
};

using Names = std::function<net::EgressWorld::Addresses(const std::string& name)>;

inline Names NoNames() {
  return [](const std::string&) -> net::EgressWorld::Addresses {
    Error error;
    error.code = ErrorCode::kNotFound;
    return error;
  };
}

// Each name at these addresses (version 4).
inline Names TheseNames(std::map<std::string, std::vector<std::string>> names) {
  return [names = std::move(names)](const std::string& name) -> net::EgressWorld::Addresses {
    std::vector<policy::IpAddress> found;
    if (const auto at = names.find(name); at != names.end()) {
      for (const std::string& text : at->second) found.push_back(policy::ParseIpv4(text).value());
    }
    return found;
  };
}

inline ProxyOnLoopback StartProxy(const std::string& rules, Names names = NoNames(),
                                  const net::EgressLimits& limits = {}) {
  ProxyOnLoopback made;
  Listener http = ListenLoopback();
  Listener socks = ListenLoopback();
  net::EgressProxy::Parts parts;
  parts.http_listener = std::move(http.socket);
  parts.socks_listener = std::move(socks.socket);
  auto parsed = policy::NetworkRules::Parse(rules);
  EXPECT_TRUE(parsed.has_value()) << rules;
  parts.rules = *parsed;
  parts.observer = [record = made.record](const net::EgressRequest& request) {
    record->Tell(request);
  };
  parts.world.resolve = std::move(names);
  parts.limits = limits;
  auto proxy = net::EgressProxy::Start(std::move(parts));
  EXPECT_TRUE(proxy.has_value());
  made.proxy = std::move(*proxy);
  made.http = http.port;
  made.socks = socks.port;
  return made;
}

// A SOCKS5 client's whole request, greeting included.
inline std::string SocksByName(std::string_view name, std::uint16_t port) {
  std::string text = {5, 1, 0, 5, 1, 0, 3, static_cast<char>(name.size())};
  text += name;
  text += static_cast<char>(port >> 8);
  text += static_cast<char>(port & 0xff);
  return text;
}

}  // namespace cordon::test
