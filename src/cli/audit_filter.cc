#include "cli/audit_filter.h"

#include <algorithm>
#include <utility>

#include "audit/record.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/report.h"

namespace cordon::cli {
namespace {

// Takes a path's names one by one; empty at the end.
std::string_view TakeName(std::string_view& path) {
  for (;;) {
    const std::size_t begin = path.find_first_not_of('/');
    if (begin == std::string_view::npos) return path = {};
    path.remove_prefix(begin);
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    if (name != ".") return name;
  }
}

bool Covers(const policy::AnchoredPattern& pattern, std::string_view path) {
  policy::AnchoredPattern::Cursor cursor(pattern, {});
  for (std::string_view name = TakeName(path); !name.empty(); name = TakeName(path)) {
    const auto step = cursor.Next({name, 0, policy::LookOf(name)});
    if (step == policy::AnchoredPattern::Cursor::Step::kCovered) return true;
    if (step == policy::AnchoredPattern::Cursor::Step::kNever) return false;
  }
  return false;
}

bool EventMatches(std::string_view wanted, std::string_view event) {
  return wanted.ends_with('.') ? event.starts_with(wanted) : event == wanted;
}

std::vector<std::string_view> EventNames() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(audit::Event::kLogGap); ++i) {
    names.push_back(audit::EventName(static_cast<audit::Event>(i)));
  }
  return names;
}

}  // namespace

Result<PathFilter> PathFilter::Compile(std::string_view text) {
  const auto explain = [](Error error) {
    error.detail = "--path: " + error.detail;
    return error;
  };
  PathFilter filter;
  if (text.find('/') == std::string_view::npos) {
    auto name = policy::NamePattern::Compile(text);
    if (!name) return explain(std::move(name.error()));
    filter.name_ = std::move(*name);
    return filter;
  }
  auto pattern = policy::AnchoredPattern::Compile(text);
  if (!pattern) return explain(std::move(pattern.error()));
  if (text.starts_with('/')) {
    filter.absolute_ = std::move(*pattern);
    return filter;
  }
  auto anywhere = policy::AnchoredPattern::Compile("**/" + std::string(text));
  if (!anywhere) return explain(std::move(anywhere.error()));
  filter.relative_ = std::move(*pattern);
  filter.absolute_ = std::move(*anywhere);
  return filter;
}

bool PathFilter::Matches(std::string_view path) const {
  if (path.empty()) return false;
  if (name_) {
    for (std::string_view name = TakeName(path); !name.empty(); name = TakeName(path)) {
      if (name_->Matches(name)) return true;
    }
    return false;
  }
  const std::optional<policy::AnchoredPattern>& pattern =
      path.starts_with('/') ? absolute_ : relative_;
  return pattern && Covers(*pattern, path);
}

bool AuditFilter::Matches(const audit::Entry& entry) const {
  if (since_ns && entry.time_ns < *since_ns) return false;
  if (until_ns && entry.time_ns > *until_ns) return false;
  if (session && entry.session != *session) return false;
  if (decision && entry.decision != *decision) return false;
  if (tool && entry.tool != *tool) return false;
  if (!events.empty() && std::none_of(events.begin(), events.end(), [&](const std::string& wanted) {
        return EventMatches(wanted, entry.event);
      })) {
    return false;
  }
  return !path || path->Matches(entry.asked) || path->Matches(entry.resolved) ||
         path->Matches(entry.target);
}

Status CheckEventName(std::string_view text) {
  const std::vector<std::string_view> names = EventNames();
  if (text != "." && std::any_of(names.begin(), names.end(),
                                 [&](std::string_view name) { return EventMatches(text, name); })) {
    return {};
  }
  std::string known;
  for (const std::string_view name : names)
    known += (known.empty() ? "" : ", ") + std::string(name);
  return UsageError("--event: " + Quoted(text) + " is not an event; use " + known +
                    ", or a beginning such as file.");
}

Status CheckDecisionName(std::string_view text) {
  if (text == "allowed" || text == "asked" || text == "denied") return {};
  return UsageError("--decision: " + Quoted(text) +
                    " is not a decision; use allowed, asked or denied");
}

}  // namespace cordon::cli
