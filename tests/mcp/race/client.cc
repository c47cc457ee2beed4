#include "tests/mcp/race/client.h"

#include <poll.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <map>
#include <mutex>
#include <thread>

#include "tests/support/raw_client.h"

namespace cordon::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kWindow = 16;
constexpr int kConnections = 4;
constexpr int kPatienceMs = 20'000;
constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

double Since(Moment start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

std::string StdioClient::Send(std::string_view line) const {
  std::string bytes(line);
  bytes += '\n';
  // So few and so short are unanswered that the pipe has room for them.
  const ssize_t written = ::write(server_.input(), bytes.data(), bytes.size());
  return written == static_cast<ssize_t>(bytes.size()) ? "" : "the server takes no more";
}

std::string StdioClient::NextLine(std::string& line) {
  std::size_t end = 0;
  while ((end = received_.find('\n')) == std::string::npos) {
    pollfd waiting = {server_.output(), POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) <= 0) return "no reply in time";
    char piece[65536];
    const ssize_t got = ::read(server_.output(), piece, sizeof piece);
    if (got <= 0) return "the server is gone";
    received_.append(piece, static_cast<std::size_t>(got));
  }
  line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return {};
}

std::string StdioClient::Connect() {
  std::string line;
  if (std::string failed = Send(InitializeMessage()); !failed.empty()) return failed;
  if (std::string failed = NextLine(line); !failed.empty()) return failed;
  return Send(kInitialized);
}

std::string StdioClient::Talk(const std::vector<Request>& requests, Moment end, Heard& heard) {
  struct Open {
    const Request* request;
    Moment sent;
  };
  std::map<std::size_t, Open> open;
  std::size_t next = 1;
  std::string line;
  for (;;) {
    for (; open.size() < kWindow && Clock::now() < end; ++next) {
      const Request& request = requests[next % requests.size()];
      open[next] = {&request, Clock::now()};
      if (std::string failed = Send(Message(request, next)); !failed.empty()) return failed;
    }
    if (open.empty()) return {};
    if (std::string failed = NextLine(line); !failed.empty()) return failed;
    boost::json::error_code error;
    const boost::json::value reply = boost::json::parse(line, error);
    const boost::json::value* id = error ? nullptr : reply.as_object().if_contains("id");
    if (id == nullptr || !id->is_int64()) {
      if (!Arena::Leak(line).empty()) return "a notice " + Arena::Leak(line);
      continue;
    }
    const auto answered = open.find(static_cast<std::size_t>(id->as_int64()));
    if (answered == open.end()) return "an answer to nothing: " + line;
    heard.Add(*answered->second.request, line, Since(answered->second.sent));
    open.erase(answered);
  }
}

HttpClient::HttpClient(const std::string& url, std::string token) : token_(std::move(token)) {
  port_ = static_cast<std::uint16_t>(std::atoi(url.c_str() + url.rfind(':') + 1));
}

std::string HttpClient::Post(const std::string& body) const {
  std::string request = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token_ +
                        "\r\nContent-Type: application/json\r\n"
                        "Accept: application/json, text/event-stream\r\n";
  if (!session_.empty()) {
    request += "MCP-Protocol-Version: 2025-11-25\r\nMCP-Session-Id: " + session_ + "\r\n";
  }
  return request + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string HttpClient::Connect() {
  test::RawClient connection(port_);
  const test::RawAnswer answer = connection.Ask(Post(InitializeMessage()));
  for (const char* name : {"MCP-Session-Id", "Mcp-Session-Id"}) {
    if (session_.empty()) session_ = answer.Field(name);
  }
  if (answer.status != 200 || session_.empty()) return "no session: " + answer.head + answer.body;
  const int status = connection.Ask(Post(kInitialized)).status;
  return status == 202 ? "" : "not initialized: " + std::to_string(status);
}

std::string HttpClient::Talk(const std::vector<Request>& requests, Moment end, Heard& heard) {
  std::mutex lock;
  std::string failed;
  std::vector<std::thread> threads;
  for (int number = 0; number < kConnections; ++number) {
    threads.emplace_back([&, number] {
      test::RawClient connection(port_);
      // Ids are one connection's own; each begins elsewhere in the list.
      std::size_t id = 1'000'000UL * static_cast<std::size_t>(number + 1);
      std::size_t next = static_cast<std::size_t>(number) * 7;
      for (; Clock::now() < end; ++next, ++id) {
        const Request& request = requests[next % requests.size()];
        const Moment sent = Clock::now();
        const test::RawAnswer answer = connection.Ask(Post(Message(request, id)));
        const std::lock_guard hold(lock);
        if (!answer.whole || answer.status != 200) {
          failed = request.name + " was answered by " + answer.head + answer.body;
          return;
        }
        heard.Add(request, answer.body, Since(sent));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failed;
}

}  // namespace cordon::testing
