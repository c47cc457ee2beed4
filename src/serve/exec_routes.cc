// Programs in a sandbox: one answer at the end, or events as they come.
#include <atomic>
#include <boost/json/array.hpp>
#include <thread>
#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "serve/counters.h"
#include "serve/events.h"
#include "serve/found_sandbox.h"
#include "serve/problem.h"
#include "serve/recorded_exec.h"
#include "serve/routes.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using Piece = provision::Exec::Piece;
using Stream = provision::Exec::Stream;

constexpr std::uint64_t kLongestTimeout = 3600;
constexpr std::uint64_t kUsualTimeout = 120;
constexpr std::size_t kKept = std::size_t{1} << 20;  // of each stream, in one answer

struct Wanted {
  provision::ExecTerms terms;
  std::string input;
};

std::string ReadInput(JsonBody& body) {
  std::string text = body.Text("stdin").value_or("");
  const auto encoding = body.Text("stdinEncoding");
  if (!encoding) return text;
  auto bytes = Base64Decode(text);
  if (*encoding != "base64" || !bytes) body.Refuse("stdinEncoding", "stdin must be base64 then");
  return std::move(bytes).value_or("");
}

Result<Wanted> ReadExec(const Call& call) {
  TRY_ASSIGN(JsonBody body, JsonBody::Parse(call.request));
  Wanted wanted;
  wanted.terms = ReadProgram(body);
  wanted.input = ReadInput(body);
  const auto timeout = body.Number("timeoutSeconds", kLongestTimeout);
  if (timeout && *timeout == 0) body.Refuse("timeoutSeconds", "this must be one second at least");
  const bool detached = body.Flag("detached").value_or(false);
  if (detached) wanted.terms.bond = provision::ExecTerms::Bond::kDetached;
  const std::uint64_t usual = detached ? 0 : kUsualTimeout;
  wanted.terms.timeout = std::chrono::seconds(timeout.value_or(usual));
  TRY(body.Check());
  return wanted;
}

json::object EndObject(const provision::ExecEnd& end) {
  json::array refusals;
  for (const std::string& one : end.refusals) refusals.emplace_back(tools::ValidUtf8(one));
  return {{"exitStatus", end.status},
          {"signal", end.signal},
          {"ended", WhyName(end.why)},
          {"refusals", std::move(refusals)}};
}

// A program that does not read must not keep us from reading what it writes.
std::jthread Feed(provision::Exec& exec, std::string input) {
  if (input.empty()) {
    exec.CloseInput();
    return {};
  }
  return std::jthread([&exec, input = std::move(input)] {
    static_cast<void>(exec.Write(input));  // it may have ended meanwhile
    exec.CloseInput();
  });
}

// Every piece to `take`, then how it ended.
template <typename Take>
Result<provision::ExecEnd> Follow(RecordedExec& running, std::string input, Take take) {
  const std::jthread feeding = Feed(running.exec(), std::move(input));
  while (true) {
    TRY_ASSIGN(std::optional<Piece> piece, running.exec().Read());
    if (!piece) break;
    take(*piece);
  }
  return running.Wait();
}

void AnswerOnce(RecordedExec& running, std::string input, const Reply& reply) {
  std::string out;
  std::string err;
  bool truncated = false;
  const auto end = Follow(running, std::move(input), [&](const Piece& piece) {
    std::string& kept = piece.stream == Stream::kOut ? out : err;
    const std::size_t room = kKept - std::min(kKept, kept.size());
    truncated = truncated || piece.bytes.size() > room;
    kept.append(piece.bytes, 0, room);
  });
  if (!end) return reply->Send(ProblemOf(end.error()));
  json::object object = EndObject(*end);
  AddOutput(object, "stdout", out);
  AddOutput(object, "stderr", err);
  object["truncated"] = truncated;
  reply->Send(JsonAnswer(200, std::move(object)));
}

void AnswerByEvents(RecordedExec& running, std::string input, const Reply& reply) {
  reply->Begin(EventStreamHead());
  const auto end = Follow(running, std::move(input), [&](const Piece& piece) {
    json::object data;
    AddOutput(data, "data", piece.bytes);
    const std::string_view name = piece.stream == Stream::kOut ? "stdout" : "stderr";
    if (!reply->Write(EventText(name, data))) running.exec().Kill();
  });
  if (end) {
    reply->Write(EventText("end", EndObject(*end)));
  } else {
    reply->Write(EventText("error", {{"code", ErrorCodeName(end.error().code)}}));
  }
  reply->End();
}

void AnswerDetached(const Reply& reply) {
  reply->Send(JsonAnswer(202, {{"exitStatus", 0},
                               {"signal", 0},
                               {"ended", "detached"},
                               {"stdout", ""},
                               {"stderr", ""},
                               {"truncated", false},
                               {"refusals", json::array()}}));
}

void Execute(const Context& context, Call& call, const Reply& reply) {
  auto wanted = ReadExec(call);
  if (!wanted) return reply->Send(ProblemOf(wanted.error()));
  auto used = UseSandbox(context, call);
  if (!used.value) return reply->Send(used.problem);
  auto started =
      RecordedExec::Start(context.recorder, std::move(*used.value), wanted->terms, call.caller);
  if (!started) return reply->Send(LifeProblem(started.error()));
  ++context.counters->execs;
  if (wanted->terms.bond == provision::ExecTerms::Bond::kDetached) return AnswerDetached(reply);
  // The client that goes takes its program with it.
  const std::shared_ptr<RecordedExec> running = std::move(*started);
  const std::weak_ptr<RecordedExec> weak = running;
  reply->OnGone([weak] {
    if (const auto alive = weak.lock()) alive->exec().Kill();
  });
  if (WantsEvents(call.request)) return AnswerByEvents(*running, std::move(wanted->input), reply);
  AnswerOnce(*running, std::move(wanted->input), reply);
}

}  // namespace

void AddExecRoutes(Routes& routes, const Context& context) {
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/exec",
                    "exec",
                    "Run a program: with Accept: text/event-stream its output comes as it is made",
                    "sandboxes:write",
                    {{200, "How it ended", {"ExecResult"}},
                     {200, "Events stdout, stderr and end", {"", "text/event-stream"}},
                     {202, "It runs on by itself", {"ExecResult"}}},
                    [context](Call& call, const Reply& reply) { Execute(context, call, reply); },
                    {},
                    {"ExecRequest"}});
}

}  // namespace cordon::serve
