#include "mcp/http_handshake.h"

#include <utility>
#include <variant>
#include <vector>

#include "mcp/http_answer.h"
#include "mcp/http_headers.h"

namespace cordon::mcp {
namespace {

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

std::optional<Id> IdOf(const Message* message) {
  if (message == nullptr) return std::nullopt;
  const auto* const request = std::get_if<Request>(message);
  return request != nullptr ? std::optional(request->id) : std::nullopt;
}

RpcError Wrong(std::string why) { return {RpcCode::kInvalidRequest, std::move(why)}; }

// Later requests say again what was agreed on; before 2025-06-18 they did not.
bool HasGoodRevision(const net::HttpFields& fields) {
  const auto header = fields.Find("MCP-Protocol-Version");
  if (!header) return true;
  const auto revision = ParseRevision(*header);
  return revision && EraOf(*revision) == Era::kHandshake;
}

}  // namespace

HttpHandshake::HttpHandshake(HttpSessions& sessions, const HttpGate& gate, net::WorkerPool& pool,
                             HttpStreams& streams)
    : sessions_(sessions), gate_(gate), pool_(pool), streams_(streams) {}

void HttpHandshake::Submit(const Job& job, HttpStream& stream) {
  if (pool_.Submit([run = job.run] { run(); })) return;
  stream.Busy();
  job.refuse();
}

std::shared_ptr<HttpSession> HttpHandshake::SessionOf(const net::HttpFields& fields,
                                                      const Principal& principal,
                                                      const Message* message,
                                                      net::HttpReply& reply) {
  const auto header = fields.Find(kSessionHeader);
  if (!header || fields.Count(kSessionHeader) > 1) {
    reply.Send(ErrorAnswer(400, IdOf(message), Wrong("one Mcp-Session-Id is needed")));
    return nullptr;
  }
  if (!HasGoodRevision(fields)) {
    reply.Send(ErrorAnswer(400, IdOf(message), Wrong("this MCP-Protocol-Version is not spoken")));
    return nullptr;
  }
  std::shared_ptr<HttpSession> session = sessions_.Find(*header, principal);
  if (!session) reply.Send(ErrorAnswer(404, IdOf(message), Wrong("there is no such session")));
  return session;
}

bool HttpHandshake::MayBatch(const net::HttpFields& fields, const Principal& principal) {
  const auto header = fields.Find(kSessionHeader);
  const auto session = header ? sessions_.Find(*header, principal) : nullptr;
  return session && session->session().initialized() &&
         session->session().revision() == Revision::k2025_03_26;
}

void HttpHandshake::Initialize(Request request, const Principal& principal,
                               const std::shared_ptr<net::HttpReply>& reply) {
  std::shared_ptr<HttpSession> session = sessions_.Make(principal);
  if (!session) {
    return reply->Send(ErrorAnswer(503, request.id, Wrong("too many sessions are in use")));
  }
  Session& protocol = session->session();
  const auto stream = MakeSessionReply(session, reply, gate_, Announce::kYes,
                                       [this, id = session->id()] { sessions_.End(id); });
  Submit(protocol.Accept(std::move(request), stream), *stream);
}

void HttpHandshake::Post(const net::HttpFields& fields, Message message, const Principal& principal,
                         const std::shared_ptr<net::HttpReply>& reply) {
  auto* const request = std::get_if<Request>(&message);
  if (request != nullptr && request->method == "initialize" && !fields.Find(kSessionHeader)) {
    return Initialize(std::move(*request), principal, reply);
  }
  const std::shared_ptr<HttpSession> session = SessionOf(fields, principal, &message, *reply);
  if (!session) return;
  if (request != nullptr) {
    const auto stream = MakeSessionReply(session, reply, gate_, Announce::kNo);
    streams_.Add(stream);
    return Submit(session->session().Accept(std::move(*request), stream, principal), *stream);
  }
  if (auto* const notification = std::get_if<Notification>(&message)) {
    session->session().Accept(*notification);
  } else if (auto* const response = std::get_if<Response>(&message)) {
    session->session().Accept(std::move(*response));
  }
  reply->Send({202, {}, {}});
}

void HttpHandshake::PostBatch(const net::HttpFields& fields, std::vector<Message> messages,
                              const Principal& principal,
                              const std::shared_ptr<net::HttpReply>& reply) {
  const std::shared_ptr<HttpSession> session = SessionOf(fields, principal, nullptr, *reply);
  if (!session) return;
  std::size_t parts = 0;
  for (const Message& message : messages) {
    parts += std::holds_alternative<Request>(message) || std::holds_alternative<Malformed>(message);
  }
  std::shared_ptr<HttpStream> stream;
  if (parts > 0) stream = MakeBatchReply(session, reply, parts);
  for (Message& message : messages) {
    if (auto* const request = std::get_if<Request>(&message)) {
      Submit(session->session().Accept(std::move(*request), stream, principal), *stream);
    } else if (auto* const malformed = std::get_if<Malformed>(&message)) {
      stream->Finish(ErrorText(malformed->id, malformed->error), malformed->error.code);
    } else if (auto* const notification = std::get_if<Notification>(&message)) {
      session->session().Accept(*notification);
    } else if (auto* const response = std::get_if<Response>(&message)) {
      session->session().Accept(std::move(*response));
    }
  }
  if (parts == 0) reply->Send({202, {}, {}});
}

void HttpHandshake::Get(const net::HttpFields& fields, const Principal& principal,
                        const std::shared_ptr<net::HttpReply>& reply) {
  if (!Accepts(fields, "text/event-stream")) {
    return reply->Send(PlainText(406, "this is a stream of events"));
  }
  const std::shared_ptr<HttpSession> session = SessionOf(fields, principal, nullptr, *reply);
  if (!session) return;
  const auto last = fields.Find("Last-Event-ID");
  if (!last) return session->outbox().Attach(HttpOutbox::kUnasked, reply, session->priming());
  const auto id = ParseEventId(*last);
  if (!id || !session->outbox().Resume(*id, reply)) {
    reply->Send(PlainText(400, "there is nothing to be resumed after this event"));
  }
}

void HttpHandshake::Delete(const net::HttpFields& fields, const Principal& principal,
                           const std::shared_ptr<net::HttpReply>& reply) {
  const std::shared_ptr<HttpSession> session = SessionOf(fields, principal, nullptr, *reply);
  if (!session) return;
  sessions_.End(session->id());
  reply->Send({200, {}, {}});
}

}  // namespace cordon::mcp
