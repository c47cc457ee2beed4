// A client and a service in the same process, with ServeLines between them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "mcp/stdio_server.h"

namespace cordon::mcp::testing {

namespace json = boost::json;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// A client in the same process.
class Wire final : public LineStream {
 public:
  Result<std::size_t> Read(std::span<char> buffer) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !in_.empty() || closed_; });
    const std::size_t size = std::min(buffer.size(), in_.size());
    std::copy_n(in_.begin(), size, buffer.begin());
    in_.erase(0, size);
    return size;
  }
  bool HasInput() override {
    const std::lock_guard lock(mutex_);
    return !in_.empty() || closed_;
  }
  Status Write(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    out_ += bytes;
    ++writes_;
    changed_.notify_all();
    return {};
  }
  void Send(std::string_view line) {
    const std::lock_guard lock(mutex_);
    in_.append(line).append("\n");
    changed_.notify_all();
  }
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // The next line from the server; empty when none comes in time.
  json::object Receive() {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, 5s, [&] { return out_.find('\n') != std::string::npos; });
    if (!came) return {};
    const std::string line = out_.substr(0, out_.find('\n'));
    out_.erase(0, line.size() + 1);
    return json::parse(line).as_object();
  }
  int writes() {
    const std::lock_guard lock(mutex_);
    return writes_;
  }
  bool quiet() {
    std::this_thread::sleep_for(50ms);
    const std::lock_guard lock(mutex_);
    return out_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string in_;
  std::string out_;
  int writes_ = 0;
  bool closed_ = false;
};

// "echo" answers, "ask" asks for a name, "wait" waits to be cancelled; the last two may be tasks.
// "soon" and "linger" are "echo" and "wait" that are tasks only after a while.
class Fake final : public Service {
 public:
  Fake() {
    description_.name = "fake";
    description_.version = "1";
    description_.capabilities = json::parse(
                                    R"({"tools":{"listChanged":true},
        "resources":{"subscribe":true},"logging":{},
        "extensions":{"io.modelcontextprotocol/tasks":{}}})")
                                    .as_object();
  }
  const Description& Describe() const override { return description_; }

  std::shared_ptr<void> Join(Exchange& exchange) override {
    ++joined;
    AskRoots(exchange);
    return std::make_shared<int>(joined.load());
  }
  void RootsChanged(Exchange& exchange) override {
    ++roots_changed;
    AskRoots(exchange);
  }
  Answered<Page> ListTools(Exchange& /*exchange*/, const Cursor& /*cursor*/) override {
    json::object tool = json::parse(R"({"name":"echo","title":"Echo","annotations":{},
        "inputSchema":{"type":"object"},"outputSchema":{"type":"object"}})")
                            .as_object();
    return Page{json::array{std::move(tool)}, {}};
  }
  Answered<ToolResult> CallTool(Exchange& exchange, std::string_view name,
                                const json::object& arguments) override {
    ToolResult result;
    if (name == "wait" || name == "linger") {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      ++waiting;
      changed.wait_for(lock, exchange.stop(), 10s, [] { return false; });
      cancelled += exchange.stop().stop_requested() ? 1 : 0;
    } else if (name == "ask") {
      const auto answer = exchange.Ask("name", "elicitation/create", {{"message", "who?"}}, 5s);
      result.content.push_back(
          json::object{{"type", "text"},
                       {"text", answer ? json::serialize(*answer)
                                       : std::to_string(static_cast<int>(answer.error()))}});
      if (exchange.carried() != nullptr) result.structured = *exchange.carried();
      exchange.Carry({{"round", 1}});
    } else if (name == "echo" || name == "soon") {
      exchange.Progress(1, 2, "half");
      exchange.Log(LogLevel::kInfo, "fake", "hello");
      result.content.push_back(
          json::object{{"type", "text"}, {"text", json::serialize(arguments)}});
      result.content.push_back(json::object{{"type", "resource_link"}, {"uri", "file:///a"}});
      result.structured = arguments;
    } else {
      return tl::make_unexpected(InvalidParams("no such tool"));
    }
    return result;
  }
  std::optional<TaskTerms> TaskTermsOf(std::string_view name,
                                       const json::object& /*arguments*/) const override {
    if (name == "soon" || name == "linger") return TaskTerms{TaskTerms::Need::kMay, 5s};
    if (name == "wait" || name == "ask") return TaskTerms();
    return std::nullopt;
  }
  Answered<Lease> Subscribe(Exchange& /*exchange*/, std::string_view uri) override {
    if (uri != "file:///a") return tl::make_unexpected(ResourceNotFound(uri));
    return std::make_shared<int>(0);
  }

  std::atomic<int> joined = 0;
  std::atomic<int> roots_changed = 0;
  std::atomic<int> waiting = 0;
  std::atomic<int> cancelled = 0;
  std::atomic<int> roots = -1;

 private:
  void AskRoots(Exchange& exchange) {
    const auto answer = exchange.Ask("roots", "roots/list", {}, 5s);
    if (answer) roots = static_cast<int>(answer->at("roots").as_array().size());
  }
  Description description_;
};

class ServeLinesTest : public ::testing::Test {
 protected:
  ServeLinesTest() : server_([this] { EXPECT_TRUE(ServeLines(service_, hub_, wire_, limits_)); }) {}
  ~ServeLinesTest() override {
    wire_.Close();
    server_.join();
  }
  void Send(const std::string& line) { wire_.Send(line); }
  json::object Receive() { return wire_.Receive(); }
  json::object Initialize(const std::string& revision, const std::string& capabilities = "{}") {
    Send(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":")" +
         revision + R"(","capabilities":)" + capabilities + R"(,"clientInfo":{"name":"t"}}})");
    json::object reply = Receive();
    Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return reply["result"].as_object();
  }
  void Call(const std::string& id, const std::string& tool, const std::string& more = "") {
    Send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":{"a":1})" + more + "}}");
  }
  static std::string Meta(const std::string& capabilities = "{}", const std::string& more = "") {
    return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":)" +
           capabilities + more + "}";
  }

  StdioLimits limits_{.line = 100'000, .running = 4, .waiting = 8};
  Fake service_;
  Hub hub_;
  Wire wire_;
  std::thread server_;
};

inline int CodeOf(const json::object& reply) {
  return static_cast<int>(reply.at("error").at("code").as_int64());
}

}  // namespace cordon::mcp::testing
