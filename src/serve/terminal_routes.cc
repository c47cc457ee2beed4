// Terminals: made by POST, then looked at over a WebSocket, as often as one likes.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>
#include <utility>

#include "base/try.h"
#include "net/web_socket.h"
#include "serve/accounts.h"
#include "serve/counters.h"
#include "serve/found_sandbox.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/slots.h"
#include "serve/terminals.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using Kind = net::WebSocket::Kind;

constexpr std::uint64_t kMostCells = 1000;
constexpr std::size_t kPiece = std::size_t{32} << 10;
constexpr std::chrono::milliseconds kLook{1000};
constexpr std::string_view kSubprotocol = "cordon.terminal.v1";

json::object TerminalObject(const Terminal& terminal) {
  json::object object{{"id", terminal.id()},
                      {"createdAt", TimeText(terminal.created())},
                      {"state", "running"},
                      {"offset", terminal.end()}};
  if (const auto ended = terminal.ended()) {
    object["state"] = "ended";
    object["exitStatus"] = ended->status;
    object["signal"] = ended->signal;
  }
  return object;
}

provision::TerminalSize ReadSize(JsonBody& body) {
  provision::TerminalSize size;
  const auto rows = body.Number("rows", kMostCells);
  const auto columns = body.Number("columns", kMostCells);
  if (rows == 0U || columns == 0U) body.Refuse("rows", "a terminal has one cell at least");
  size.rows = static_cast<std::uint16_t>(rows.value_or(size.rows));
  size.columns = static_cast<std::uint16_t>(columns.value_or(size.columns));
  return size;
}

net::HttpResponse Create(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const provision::TerminalSize size = ReadSize(*body);
  provision::ExecTerms terms = ReadProgram(*body);
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  terms.terminal = size;
  auto used = UseSandbox(context, call);
  if (!used.value) return used.problem;
  const SandboxId id = used.value->sandbox.id;
  auto started = RecordedExec::Start(context.recorder, std::move(*used.value), terms, call.caller);
  if (!started) return LifeProblem(started.error());
  ++context.counters->execs;
  const auto terminal =
      std::make_shared<Terminal>(NewObjectId("trm_"), context.now(), std::move(*started));
  if (const Status added = context.terminals->Add(id, terminal); !added) {
    return ProblemOf(added.error());
  }
  net::HttpResponse response = JsonAnswer(201, TerminalObject(*terminal));
  response.fields.Add("Location", "/v1/sandboxes/" + id.text() + "/terminals/" + terminal->id());
  return response;
}

net::HttpResponse List(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  json::array list;
  for (const auto& one : context.terminals->List(found.value->id)) {
    list.push_back(TerminalObject(*one));
  }
  return JsonAnswer(200, {{"terminals", std::move(list)}});
}

OrProblem<std::shared_ptr<Terminal>> Find(const Context& context, const Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return {std::nullopt, std::move(found.problem)};
  auto terminal = context.terminals->Find(found.value->id, call.Parameter("terminal"));
  if (!terminal) return {std::nullopt, NoSuchObject()};
  return {std::move(terminal), {}};
}

net::HttpResponse Get(const Context& context, Call& call) {
  auto found = Find(context, call);
  if (!found.value) return found.problem;
  return JsonAnswer(200, TerminalObject(**found.value));
}

net::HttpResponse Delete(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  if (!context.terminals->Remove(found.value->id, call.Parameter("terminal"))) {
    return NoSuchObject();
  }
  return net::HttpResponse{204, {}, {}};
}

// {"type": "resize", "rows", "columns"}. False: it is none that we know.
bool Obey(Terminal& terminal, const std::string& text) {
  json::error_code failed;
  json::value value = json::parse(text, failed);
  if (failed || !value.is_object()) return false;
  JsonBody order(std::move(value.as_object()));
  if (order.Text("type") != "resize") return false;
  const provision::TerminalSize size = ReadSize(order);
  if (!order.Check()) return false;
  // A program that has ended has no size.
  static_cast<void>(terminal.Resize(size));
  return true;
}

void TakeInput(Terminal& terminal, net::WebSocket& socket) {
  while (auto message = socket.Receive()) {
    if (message->kind == Kind::kBinary) {
      if (!terminal.Write(message->bytes)) return;
    } else if (!Obey(terminal, message->bytes)) {
      return socket.Close(1003, "text must be {\"type\": \"resize\", \"rows\", \"columns\"}");
    }
  }
}

bool SendText(net::WebSocket& socket, const json::object& object) {
  return socket.Send({Kind::kText, json::serialize(object)});
}

// From `offset` to the end of all, or until nobody listens.
void GiveOutput(Terminal& terminal, net::WebSocket& socket, std::uint64_t offset) {
  while (socket.open()) {
    const Terminal::Output output = terminal.From(offset, kLook);
    // It may have been too fast for this client.
    if (output.offset != offset && !output.bytes.empty() &&
        !SendText(socket, {{"type", "gap"}, {"offset", output.offset}})) {
      return;
    }
    for (std::size_t at = 0; at < output.bytes.size(); at += kPiece) {
      if (!socket.Send({Kind::kBinary, output.bytes.substr(at, kPiece)})) return;
    }
    offset = output.offset + output.bytes.size();
    if (!output.over) continue;
    const auto end = terminal.ended().value_or(provision::ExecEnd{});
    SendText(socket, {{"type", "exit"},
                      {"exitStatus", end.status},
                      {"signal", end.signal},
                      {"ended", WhyName(end.why)}});
    return socket.Close(1000, "the program has ended");
  }
}

std::string ChosenSubprotocol(const net::HttpFields& fields) {
  for (const std::string& one : net::OfferedSubprotocols(fields)) {
    if (one == kSubprotocol) return one;
  }
  return "";
}

void Attach(const Context& context, Call& call, const Reply& reply) {
  auto found = Find(context, call);
  if (!found.value) return reply->Send(found.problem);
  const std::shared_ptr<Terminal> terminal = *found.value;
  const auto query = Query::Parse(call.request.query);
  if (!query) return reply->Send(ProblemOf(query.error()));
  const auto since = query->NumberOr("since", 0, 0, UINT64_MAX);
  if (!since) return reply->Send(ProblemOf(since.error()));
  if (!net::AsksForWebSocket(call.request)) {
    net::HttpResponse response = Problem(426, "INVALID_ARGUMENTS", "this is a WebSocket");
    response.fields.Add("Upgrade", "websocket");
    return reply->Send(std::move(response));
  }
  const auto slot = context.streams->Take(call.caller.user);
  if (!slot) return reply->Send(Problem(429, "LIMIT_EXCEEDED", "too many streams are open"));
  net::WebSocketTerms terms;
  terms.subprotocol = ChosenSubprotocol(call.request.fields);
  const std::shared_ptr<net::WebSocket> socket = reply->Upgrade(terms);
  if (!socket) return;
  auto watching = terminal->Watch();
  const std::jthread input([&] { TakeInput(*terminal, *socket); });
  const std::uint64_t offset = std::min(*since, terminal->end());
  if (SendText(*socket, {{"type", "hello"}, {"offset", offset}})) {
    GiveOutput(*terminal, *socket, offset);
  }
  socket->Close(1001, "");
  // The other thread may still wait for the program to read: that counts as nobody watching.
  watching.reset();
}

}  // namespace

void AddTerminalRoutes(Routes& routes, const Context& context) {
  constexpr std::string_view kAll = "/v1/sandboxes/{id}/terminals";
  constexpr std::string_view kOne = "/v1/sandboxes/{id}/terminals/{terminal}";
  routes.push_back({"POST",
                    kAll,
                    "createTerminal",
                    "Start a program on a terminal",
                    "sandboxes:write",
                    {{201, "The terminal", {"Terminal"}}},
                    Answering([context](Call& call) { return Create(context, call); }),
                    {},
                    {"NewTerminal"}});
  routes.push_back({"GET",
                    kAll,
                    "listTerminals",
                    "The terminals of a sandbox",
                    "sandboxes:read",
                    {{200, "All of them", {"TerminalList"}}},
                    Answering([context](Call& call) { return List(context, call); })});
  routes.push_back({"GET",
                    kOne,
                    "getTerminal",
                    "One terminal",
                    "sandboxes:read",
                    {{200, "The terminal", {"Terminal"}}},
                    Answering([context](Call& call) { return Get(context, call); })});
  routes.push_back({"DELETE",
                    kOne,
                    "deleteTerminal",
                    "End its program and forget it",
                    "sandboxes:write",
                    {{204, "It is gone"}},
                    Answering([context](Call& call) { return Delete(context, call); })});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/terminals/{terminal}/ws",
                    "attachTerminal",
                    "A WebSocket: binary messages are output and input, text messages are JSON "
                    "(hello, gap, exit; "
                    "resize)",
                    "sandboxes:write",
                    {{101, "It is one now"}},
                    [context](Call& call, const Reply& reply) { Attach(context, call, reply); },
                    {{"since", "integer", "Offset of the first byte of output that is wanted"}}});
}

}  // namespace cordon::serve
