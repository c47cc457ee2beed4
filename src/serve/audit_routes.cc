// The audit log over HTTP: one's own records, and with the scope "admin" everybody's.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>
#include <utility>

#include "audit/reader.h"
#include "base/try.h"
#include "confine/ambient_authority.h"
#include "serve/events.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/slots.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using audit::ReadOn;

constexpr std::uint64_t kMostAPage = 1000;
constexpr std::chrono::milliseconds kLook{200};
constexpr int kLooksAPulse = 75;

struct Filter {
  std::optional<std::string> user, sandbox, conversation, event, decision;
  std::uint64_t after = 0;
  std::uint64_t most = 100;

  // What an MCP client calls itself stands after the user, between brackets.
  bool IsOf(const std::string& actor) const {
    if (!user || actor == *user) return true;
    return actor.starts_with(*user) && actor.compare(user->size(), 2, " (") == 0;
  }
  bool Takes(const audit::Entry& entry) const {
    const auto is = [](const std::optional<std::string>& wanted, const std::string& found) {
      return !wanted || *wanted == found;
    };
    return entry.seq > after && IsOf(entry.actor) && is(sandbox, entry.sandbox) &&
           is(conversation, entry.conversation) && is(event, entry.event) &&
           is(decision, entry.decision);
  }
};

Result<Filter> FilterOf(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  Filter filter;
  filter.user = call.caller.user;
  if (call.caller.Has("admin") && query.Text("all") == "true") filter.user.reset();
  filter.sandbox = query.Text("sandbox");
  filter.conversation = query.Text("conversation");
  filter.event = query.Text("event");
  filter.decision = query.Text("decision");
  TRY_ASSIGN(filter.after, query.NumberOr("after", 0, 0, UINT64_MAX));
  TRY_ASSIGN(filter.most, query.NumberOr("limit", 100, 1, kMostAPage));
  return filter;
}

// The record as the log has it, if it is one and wanted.
std::optional<json::object> RecordOf(std::string_view line, const Filter& filter) {
  const auto entry = audit::ParseEntry(line);
  if (!entry || !filter.Takes(*entry)) return std::nullopt;
  json::error_code failed;
  json::value value = json::parse(line, failed);
  if (failed || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

Result<audit::Reader> OpenLog(const Context& context) {
  return audit::Reader::Open(context.log_file, confine::AmbientAuthority::OfThisProcess());
}

Result<json::object> Page(const Context& context, const Call& call) {
  TRY_ASSIGN(const Filter filter, FilterOf(call));
  TRY_ASSIGN(audit::Reader reader, OpenLog(context));
  json::array records;
  TRY(reader.ReadNew([&](const audit::Reader::Line& line) {
    if (auto record = RecordOf(line.text, filter)) records.push_back(std::move(*record));
    return records.size() < filter.most ? ReadOn::kYes : ReadOn::kStop;
  }));
  json::value next = nullptr;
  if (records.size() == filter.most) next = records.back().at("seq");
  return json::object{{"records", std::move(records)}, {"next", std::move(next)}};
}

net::HttpResponse List(const Context& context, Call& call) {
  auto page = Page(context, call);
  if (!page) return ProblemOf(page.error());
  return JsonAnswer(200, std::move(*page));
}

void Follow(audit::Reader& reader, const Filter& filter, const Reply& reply) {
  for (int looks = 1; reply->open(); ++looks) {
    bool gone = false;
    const Status read = reader.ReadNew([&](const audit::Reader::Line& line) {
      const auto record = RecordOf(line.text, filter);
      if (record) {
        gone = !reply->Write(EventText("record", *record, json::serialize(record->at("seq"))));
      }
      return gone ? ReadOn::kStop : ReadOn::kYes;
    });
    if (gone || !read) return;
    if (looks % kLooksAPulse == 0 && !reply->Write(std::string(kStillHere))) return;
    std::this_thread::sleep_for(kLook);
  }
}

void Stream(const Context& context, Call& call, const Reply& reply) {
  const auto filter = FilterOf(call);
  if (!filter) return reply->Send(ProblemOf(filter.error()));
  const auto slot = context.streams->Take(call.caller.user);
  if (!slot) return reply->Send(Problem(429, "LIMIT_EXCEEDED", "too many streams are open"));
  auto reader = OpenLog(context);
  if (!reader) return reply->Send(ProblemOf(reader.error()));
  if (filter->after == 0) {
    if (const Status skipped = reader->SkipToLast(0); !skipped) {
      return reply->Send(ProblemOf(skipped.error()));
    }
  }
  reply->Begin(EventStreamHead());
  Follow(*reader, *filter, reply);
  reply->End();
}

}  // namespace

void AddAuditRoutes(Routes& routes, const Context& context) {
  const std::vector<QueryParameter> filters = {
      {"after", "integer", "Only records with a greater number"},
      {"limit", "integer", "Most on a page, 100 if not given"},
      {"sandbox", "string", "Of this sandbox"},
      {"conversation", "string", "Of this conversation"},
      {"event", "string", "Of this kind, as file.write"},
      {"decision", "string", "allowed, asked or denied"},
      {"all", "string", "true: of every user; needs the scope admin"}};
  routes.push_back({"GET",
                    "/v1/audit",
                    "listAudit",
                    "Records of the audit log, oldest first",
                    "audit",
                    {{200, "A page of them", {"AuditPage"}}},
                    Answering([context](Call& call) { return List(context, call); }),
                    filters});
  routes.push_back({"GET",
                    "/v1/audit/stream",
                    "streamAudit",
                    "The same as they are written",
                    "audit",
                    {{200, "Events named record", {"", "text/event-stream"}}},
                    [context](Call& call, const Reply& reply) { Stream(context, call, reply); },
                    filters});
}

}  // namespace cordon::serve
