// One client of the egress proxy, in the I/O thread of its core.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "net/egress_core.h"

namespace cordon::net {

// Held by the core from Welcome until it is closed.
class EgressSession : public std::enable_shared_from_this<EgressSession> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Failure = boost::system::error_code;

  virtual ~EgressSession() = default;
  EgressSession(const EgressSession&) = delete;
  EgressSession& operator=(const EgressSession&) = delete;

  // Puts `session` into its core and lets it begin.
  static void Welcome(const std::shared_ptr<EgressSession>& session);
  void Close();
  bool closed() const { return closed_; }
  // Whether it could be closed without anybody losing anything.
  virtual bool idle() const { return false; }
  // Closes this unless something happens within `time`; called again, it counts anew.
  void Arm(std::chrono::milliseconds time);

  // A handler that keeps `self` alive; whatever it throws ends this session alone.
  template <typename Self, typename Work>
  static auto Handler(Self& self, Work work) {
    return [keep = std::static_pointer_cast<Self>(self.shared_from_this()), work = std::move(work)](
               const Failure& failed, auto... rest) mutable {
      if (keep->closed()) return;
      try {
        work(*keep, failed, rest...);
      } catch (...) {
        keep->Close();
      }
    };
  }

 protected:
  EgressSession(EgressCore& core, Socket client)
      : core_(core), client_(std::move(client)), timer_(core.io) {}
  virtual void Begin() = 0;
  virtual void OnClose() {}
  virtual void OnTime() { Close(); }

  // Sends `text`, then goes on with `then`.
  void Say(std::string text, std::function<void()> then);
  // Gives the client time to read what was said last, then closes.
  void Farewell();

  EgressCore& core_;
  Socket client_;

 private:
  void Wait();
  void Drain();

  boost::asio::steady_timer timer_;
  boost::asio::steady_timer::time_point deadline_;
  bool waiting_ = false;
  bool closed_ = false;
  std::string said_;
  std::string drain_;
  std::size_t drained_ = 0;
};

}  // namespace cordon::net
