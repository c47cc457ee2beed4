// The audit log over HTTP: one's own records, and with the scope "admin" everybody's.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <deque>
#include <thread>
#include <utility>

#include "base/try.h"
#include "serve/audit_query.h"
#include "serve/events.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "serve/slots.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using audit::ReadOn;

constexpr std::chrono::milliseconds kLook{200};
constexpr int kLooksAPulse = 75;

// The newest that fit, oldest first; those of an older time than is looked through are left out.
Result<json::object> LastPage(const Context& context, const AuditFilter& filter) {
  TRY_ASSIGN(audit::Reader reader, OpenAuditLog(context));
  TRY(reader.SkipToLast(kMostLookedThrough));
  std::deque<json::object> newest;
  TRY(reader.ReadNew([&](const audit::Reader::Line& line) {
    if (auto record = AuditRecordOf(line.text, filter)) newest.push_back(std::move(*record));
    if (newest.size() > *filter.last) newest.pop_front();
    return ReadOn::kYes;
  }));
  json::array records;
  for (json::object& one : newest) records.push_back(std::move(one));
  return json::object{{"records", std::move(records)}, {"next", nullptr}};
}

Result<json::object> Page(const Context& context, const Call& call) {
  TRY_ASSIGN(const AuditFilter filter, AuditFilterOf(call));
  if (filter.last) return LastPage(context, filter);
  TRY_ASSIGN(audit::Reader reader, OpenAuditLog(context));
  json::array records;
  TRY(reader.ReadNew([&](const audit::Reader::Line& line) {
    if (auto record = AuditRecordOf(line.text, filter)) records.push_back(std::move(*record));
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

void Follow(audit::Reader& reader, const AuditFilter& filter, const Reply& reply) {
  for (int looks = 1; reply->open(); ++looks) {
    bool gone = false;
    const Status read = reader.ReadNew([&](const audit::Reader::Line& line) {
      const auto record = AuditRecordOf(line.text, filter);
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
  const auto filter = AuditFilterOf(call);
  if (!filter) return reply->Send(ProblemOf(filter.error()));
  const auto slot = context.streams->Take(call.caller.user);
  if (!slot) return reply->Send(Problem(429, "LIMIT_EXCEEDED", "too many streams are open"));
  auto reader = OpenAuditLog(context);
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
      {"last", "integer", "Instead of a page: only the newest, so many at most"},
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
