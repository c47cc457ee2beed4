// Lines from a client, as stdio takes them: both eras, sessions, batches, questions and sealed
// states. Whatever the bytes are, no request is answered twice, and what comes out is JSON.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "mcp/line_client.h"
#include "mcp/line_reader.h"

namespace {

namespace json = boost::json;
namespace mcp = cordon::mcp;

void Require(bool holds) {
  if (!holds) std::abort();
}

// The input in pieces of odd sizes; keeps what is written.
class Tape final : public mcp::LineStream {
 public:
  explicit Tape(std::string_view in) : in_(in) {}
  cordon::Result<std::size_t> Read(std::span<char> buffer) override {
    const std::size_t size = std::min({buffer.size(), in_.size(), ++reads_ % 97 + 1});
    std::copy_n(in_.begin(), size, buffer.begin());
    in_.remove_prefix(size);
    return size;
  }
  cordon::Status Write(std::string_view bytes) override {
    out_ += bytes;
    return {};
  }
  const std::string& out() const { return out_; }

 private:
  std::string_view in_;
  std::size_t reads_ = 0;
  std::string out_;
};

// A service without files that uses everything an exchange has.
class Small final : public mcp::Service {
 public:
  Small() {
    description_.name = "small";
    description_.version = "1";
    description_.capabilities =
        json::parse(R"({"tools":{"listChanged":true},"resources":{"subscribe":true},
            "prompts":{},"completions":{},"logging":{}})")
            .as_object();
  }
  const mcp::Description& Describe() const override { return description_; }

  std::shared_ptr<void> Join(mcp::Exchange& exchange) override {
    return std::make_shared<std::string>(exchange.client().name);
  }
  mcp::Answered<mcp::Page> ListTools(mcp::Exchange& /*exchange*/, const Cursor& cursor) override {
    if (cursor && *cursor != "next") return tl::make_unexpected(mcp::InvalidParams("no cursor"));
    mcp::Page page{json::array{json::object{{"name", "echo"}}}, {}};
    if (!cursor) page.next = "next";
    return page;
  }
  mcp::Answered<mcp::ToolResult> CallTool(mcp::Exchange& exchange, std::string_view name,
                                          const json::object& arguments) override {
    mcp::ToolResult result;
    exchange.Progress(1, 2, name);
    exchange.Log(mcp::LogLevel::kInfo, "small", arguments);
    if (name == "ask") {
      // Nobody can answer while this thread waits, so it does not.
      const auto answer = exchange.Ask("who", "elicitation/create", {{"message", "who?"}}, {});
      result.content.push_back(answer ? json::value(*answer) : json::value(nullptr));
      exchange.Carry(arguments);
    } else if (name != "echo") {
      return tl::make_unexpected(mcp::InvalidParams("no such tool"));
    }
    result.structured = arguments;
    return result;
  }
  mcp::Answered<json::array> ReadResource(mcp::Exchange& /*exchange*/,
                                          std::string_view uri) override {
    if (uri != "x:a") return tl::make_unexpected(mcp::ResourceNotFound(uri));
    return json::array{json::object{{"uri", uri}, {"text", "a"}}};
  }
  mcp::Answered<Lease> Subscribe(mcp::Exchange& /*exchange*/, std::string_view uri) override {
    if (uri != "x:a") return tl::make_unexpected(mcp::ResourceNotFound(uri));
    return Lease(std::make_shared<int>(0));
  }
  mcp::Answered<mcp::Completions> Complete(mcp::Exchange& /*exchange*/,
                                           const mcp::CompletionRequest& request) override {
    return mcp::Completions{{request.value, request.reference}, 3};
  }

 private:
  mcp::Description description_;
};

// How many answers each request must get at most: one for each time it was sent.
void Count(std::string_view line, std::map<std::string, int>& asked) {
  const auto note = [&](const mcp::Message& message) {
    if (const auto* const request = std::get_if<mcp::Request>(&message)) {
      ++asked[json::serialize(request->id.AsJson())];
    } else if (const auto* const malformed = std::get_if<mcp::Malformed>(&message)) {
      if (malformed->id) ++asked[json::serialize(malformed->id->AsJson())];
    }
  };
  note(mcp::ParseMessage(line));
  if (const auto batch = mcp::ParseBatch(line)) {
    for (const mcp::Message& message : *batch) note(message);
  }
}

void CheckAnswer(const json::value& value, std::map<std::string, int>& asked) {
  Require(value.is_object());
  const json::object& answer = value.get_object();
  Require(answer.at("jsonrpc") == "2.0");
  if (answer.contains("method")) return;
  Require(answer.contains("result") != answer.contains("error"));
  const json::value* const id = answer.if_contains("id");
  if (id != nullptr) Require(--asked[json::serialize(*id)] >= 0);
}

void CheckAnswers(std::string_view out, std::map<std::string, int>& asked) {
  while (!out.empty()) {
    const std::size_t end = out.find('\n');
    Require(end != std::string_view::npos);
    const json::value value = json::parse(json::string_view(out.data(), end));
    out.remove_prefix(end + 1);
    if (!value.is_array()) {
      CheckAnswer(value, asked);
      continue;
    }
    Require(!value.get_array().empty());
    for (const json::value& one : value.get_array()) CheckAnswer(one, asked);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Small service;
  mcp::Hub hub;
  Tape tape(std::string_view(reinterpret_cast<const char*>(data), size));
  mcp::LineReader reader(tape, 2048);
  mcp::LineWriter writer(tape);
  mcp::LineClient client(service, hub, writer);
  std::map<std::string, int> asked;
  std::string line;
  for (std::size_t lines = 0; lines < 64; ++lines) {
    const auto read = reader.Next(line);
    Require(read.has_value());
    if (*read == mcp::LineReader::Outcome::kEnd) break;
    if (*read == mcp::LineReader::Outcome::kTooLong) {
      client.RefuseLine();
      continue;
    }
    Require(line.size() <= 2048 && line.find('\n') == std::string::npos);
    Count(line, asked);
    std::vector<mcp::Job> jobs;
    client.Accept(line, jobs);
    // What comes twice before it is run is two requests of one id, or too much.
    for (const mcp::Job& job : jobs) lines % 7 == 6 ? job.refuse() : job.run();
    hub.Tell({mcp::Change::Kind::kResource, "x:a"});
  }
  client.EndInput();
  client.Close();
  CheckAnswers(tape.out(), asked);
  return 0;
}
