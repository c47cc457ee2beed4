// All clients of the handshake era over HTTP.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/http_session.h"

namespace cordon::mcp {

// Thread safety: everything may run concurrently.
class HttpSessions {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    std::size_t sessions = 256;
    std::chrono::milliseconds idle{3'600'000};
    HttpOutbox::Limits outbox = {};
    std::size_t waiting = WaitingRoom::kPlaces;  // requests for their own clients
  };
  HttpSessions(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks, Limits limits);
  ~HttpSessions() = default;
  HttpSessions(const HttpSessions&) = delete;
  HttpSessions& operator=(const HttpSessions&) = delete;

  // Makes room by ending the longest unused one. Null: all are in use.
  std::shared_ptr<HttpSession> Make(Principal principal);
  // Null: there is none, or it belongs to somebody else.
  std::shared_ptr<HttpSession> Find(std::string_view id, const Principal& principal);
  void End(const std::string& id);
  void EndAll();
  // Keeps streams alive, and ends sessions that nobody uses.
  void Pulse();

 private:
  struct Entry {
    std::shared_ptr<HttpSession> session;
    Clock::time_point used;
  };
  // With the mutex held.
  static bool IsInUse(const Entry& entry);
  std::map<std::string, Entry, std::less<>>::iterator LongestUnused();

  Service& service_;
  Hub& hub_;
  const std::shared_ptr<Tasks> tasks_;
  const Limits limits_;
  const std::shared_ptr<WaitingRoom> room_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace cordon::mcp
