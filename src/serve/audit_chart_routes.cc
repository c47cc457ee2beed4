// What of the audit log fits into a picture: how much was done and refused when, and whether the
// log is as it was written.
#include <boost/json/array.hpp>
#include <utility>

#include "base/try.h"
#include "serve/audit_query.h"
#include "serve/chain_check.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostMinutes = std::uint64_t{7} * 24 * 60;
constexpr std::int64_t kBuckets = 60;
constexpr std::int64_t kNanoseconds = 1'000'000;  // of a millisecond

struct Bucket {
  std::uint64_t allowed = 0, asked = 0, denied = 0;
};

// An operation counts once, when it has ended, and a question when it is asked; the person's
// answer shows in the operation's end.
void Count(const audit::Entry& entry, Bucket& bucket) {
  if (entry.phase == "begin" || entry.event == "consent.decided") return;
  if (entry.decision == "allowed") ++bucket.allowed;
  if (entry.decision == "asked") ++bucket.asked;
  if (entry.decision == "denied") ++bucket.denied;
}

struct Times {
  std::int64_t from = 0, step = 0;  // milliseconds
};

Result<Times> TimesOf(const Context& context, const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  TRY_ASSIGN(const std::uint64_t minutes, query.NumberOr("minutes", 60, 1, kMostMinutes));
  Times times;
  times.step = static_cast<std::int64_t>(minutes) * 60'000 / kBuckets;
  // On whole steps, so that bars stay what they are while time goes on.
  times.from = (context.now() / times.step + 1 - kBuckets) * times.step;
  return times;
}

Result<json::object> Timeline(const Context& context, const Call& call) {
  TRY_ASSIGN(const AuditFilter filter, AuditFilterOf(call));
  TRY_ASSIGN(const Times times, TimesOf(context, call));
  TRY_ASSIGN(audit::Reader reader, OpenAuditLog(context));
  TRY(reader.SkipToLast(kMostLookedThrough));
  std::vector<Bucket> buckets(kBuckets);
  std::size_t lines = 0;
  bool reached = false;  // records from before the time shown
  TRY(reader.ReadNew([&](const audit::Reader::Line& line) {
    ++lines;
    const auto entry = audit::ParseEntry(line.text);
    if (!entry) return audit::ReadOn::kYes;
    const std::int64_t place = entry->time_ns / kNanoseconds - times.from;
    if (place < 0) reached = true;
    if (place >= 0 && place / times.step < kBuckets && filter.Takes(*entry)) {
      Count(*entry, buckets[static_cast<std::size_t>(place / times.step)]);
    }
    return audit::ReadOn::kYes;
  }));
  json::array list;
  for (const Bucket& one : buckets) {
    list.push_back(
        json::object{{"allowed", one.allowed}, {"asked", one.asked}, {"denied", one.denied}});
  }
  return json::object{{"from", TimeText(times.from)},
                      {"stepSeconds", static_cast<double>(times.step) / 1e3},
                      {"buckets", std::move(list)},
                      {"truncated", lines >= kMostLookedThrough && !reached}};
}

json::object DamageObject(const audit::Finding& damage) {
  return {{"kind", audit::DamageName(damage.damage)},
          {"file", tools::ValidUtf8(damage.file)},
          {"line", damage.line},
          {"seq", damage.seq},
          {"detail", tools::ValidUtf8(damage.detail)}};
}

net::HttpResponse Verification(const Context& context) {
  const auto checked = context.chain->Look();
  if (!checked) return ProblemOf(checked.error());
  const audit::Verification& result = checked->result;
  json::object object{{"intact", !result.damage.has_value()},
                      {"records", result.records},
                      {"first", result.first},
                      {"last", result.last},
                      {"head", ToHex(result.head)},
                      {"checkedAt", TimeText(checked->when)},
                      {"notes", json::array(result.notes.begin(), result.notes.end())}};
  if (result.damage) object["damage"] = DamageObject(*result.damage);
  return JsonAnswer(200, std::move(object));
}

}  // namespace

void AddAuditChartRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/audit/timeline",
                    "getAuditTimeline",
                    "How much was done, asked and refused, in sixty equal spans up to now",
                    "audit",
                    {{200, "Of the newest 50000 records", {"AuditTimeline"}}},
                    Answering([context](Call& call) {
                      auto timeline = Timeline(context, call);
                      if (!timeline) return ProblemOf(timeline.error());
                      return JsonAnswer(200, std::move(*timeline));
                    }),
                    {{"minutes", "integer", "From how long ago, 60 if not given"},
                     {"sandbox", "string", "Of this sandbox"},
                     {"conversation", "string", "Of this conversation"},
                     {"event", "string", "Of this kind, as file.write"},
                     {"decision", "string", "allowed, asked or denied"},
                     {"all", "string", "true: of every user; needs the scope admin"}}});
  routes.push_back({"GET",
                    "/v1/audit/verification",
                    "getAuditVerification",
                    "Whether the log is as it was written",
                    "audit",
                    {{200, "What the last check has found", {"AuditVerification"}}},
                    Answering([context](Call&) { return Verification(context); })});
}

}  // namespace cordon::serve
