// Clients that keep a server busy for a while.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tests/mcp/race/served_process.h"
#include "tests/mcp/race/traffic.h"

namespace cordon::testing {

using Moment = std::chrono::steady_clock::time_point;

// Both send the requests in turn until `end`, several unanswered at a time, then wait for
// what is missing. "" on success, else what went wrong: the server is gone, or a reply does
// not come within 20 s.
class Client {
 public:
  virtual ~Client() = default;
  virtual std::string Connect() = 0;
  virtual std::string Talk(const std::vector<Request>& requests, Moment end, Heard& heard) = 0;
};

// Over the standard streams, pipelined.
class StdioClient : public Client {
 public:
  explicit StdioClient(const ServedProcess& server) : server_(server) {}
  std::string Connect() override;
  std::string Talk(const std::vector<Request>& requests, Moment end, Heard& heard) override;

 private:
  std::string Send(std::string_view line) const;
  std::string NextLine(std::string& line);

  const ServedProcess& server_;
  std::string received_;
};

// Over HTTP, by several connections of one session.
class HttpClient : public Client {
 public:
  // `url` as the server tells it.
  HttpClient(const std::string& url, std::string token);
  std::string Connect() override;
  std::string Talk(const std::vector<Request>& requests, Moment end, Heard& heard) override;

 private:
  std::string Post(const std::string& body) const;

  std::uint16_t port_ = 0;
  std::string token_, session_;
};

}  // namespace cordon::testing
