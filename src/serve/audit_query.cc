#include "serve/audit_query.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "confine/ambient_authority.h"
#include "serve/query.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostAPage = 1000;

bool IsPlain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

}  // namespace

// What an MCP client calls itself stands after the user, between brackets.
bool AuditFilter::IsOf(const std::string& actor) const {
  if (!user || actor == *user) return true;
  return actor.starts_with(*user) && actor.compare(user->size(), 2, " (") == 0;
}

// A record begins with its number, and a name of letters and digits stands in it as it is.
bool AuditFilter::MayTake(std::string_view line) const {
  constexpr std::string_view kNumber = "{\"seq\":";
  std::uint64_t seq = UINT64_MAX;
  if (line.starts_with(kNumber)) {
    std::from_chars(line.data() + kNumber.size(), line.data() + line.size(), seq);
  }
  const auto has = [line](const std::optional<std::string>& name) {
    return !name || !IsPlain(*name) || line.find(*name) != std::string_view::npos;
  };
  return seq > after && has(sandbox) && has(conversation) && has(user) && has(event);
}

bool AuditFilter::Takes(const audit::Entry& entry) const {
  const auto is = [](const std::optional<std::string>& wanted, const std::string& found) {
    return !wanted || *wanted == found;
  };
  return entry.seq > after && IsOf(entry.actor) && is(sandbox, entry.sandbox) &&
         is(conversation, entry.conversation) && is(event, entry.event) &&
         is(decision, entry.decision);
}

Result<AuditFilter> AuditFilterOf(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  AuditFilter filter;
  filter.user = call.caller.user;
  if (call.caller.Has("admin") && query.Text("all") == "true") filter.user.reset();
  filter.sandbox = query.Text("sandbox");
  filter.conversation = query.Text("conversation");
  filter.event = query.Text("event");
  filter.decision = query.Text("decision");
  TRY_ASSIGN(filter.after, query.NumberOr("after", 0, 0, UINT64_MAX));
  TRY_ASSIGN(filter.most, query.NumberOr("limit", 100, 1, kMostAPage));
  if (query.Text("last")) {
    TRY_ASSIGN(filter.last, query.NumberOr("last", 100, 1, kMostAPage));
  }
  return filter;
}

std::optional<json::object> AuditRecordOf(std::string_view line, const AuditFilter& filter) {
  if (!filter.MayTake(line)) return std::nullopt;
  const auto entry = audit::ParseEntry(line);
  if (!entry || !filter.Takes(*entry)) return std::nullopt;
  json::error_code failed;
  json::value value = json::parse(line, failed);
  if (failed || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

Result<audit::Reader> OpenAuditLog(const Context& context) {
  return audit::Reader::Open(context.log_file, confine::AmbientAuthority::OfThisProcess());
}

}  // namespace cordon::serve
