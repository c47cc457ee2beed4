#include "serve/router.h"

#include <optional>
#include <set>
#include <utility>

#include "base/percent.h"

namespace cordon::serve {
namespace {

using Parameters = std::map<std::string, std::string, std::less<>>;

std::optional<std::string> Decoded(std::string_view segment) {
  auto decoded = PercentDecode(segment);
  if (!decoded) return std::nullopt;
  return std::move(*decoded);
}

// Up to the next slash, which goes too.
std::string_view TakeSegment(std::string_view& rest) {
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view segment = rest.substr(0, slash);
  rest.remove_prefix(std::min(slash + 1, rest.size()));
  return segment;
}

// "{path*}" takes what is left, slashes and all.
bool IsRest(std::string_view segment) { return segment.ends_with("*}"); }
bool IsParameter(std::string_view segment) { return segment.starts_with('{'); }

std::optional<Parameters> Match(std::string_view pattern, std::string_view path) {
  Parameters parameters;
  if (pattern.empty() || path.empty() || path.front() != '/') return std::nullopt;
  pattern.remove_prefix(1);
  path.remove_prefix(1);
  while (true) {
    const bool last = pattern.find('/') == std::string_view::npos;
    const std::string_view wanted = TakeSegment(pattern);
    if (IsRest(wanted)) {
      auto rest = Decoded(path);
      if (!rest) return std::nullopt;
      parameters.emplace(wanted.substr(1, wanted.size() - 3), std::move(*rest));
      return parameters;
    }
    const bool more = path.find('/') != std::string_view::npos;
    const std::string_view given = TakeSegment(path);
    if (IsParameter(wanted)) {
      auto value = Decoded(given);
      if (!value || value->empty()) return std::nullopt;
      parameters.emplace(wanted.substr(1, wanted.size() - 2), std::move(*value));
    } else if (wanted != given) {
      return std::nullopt;
    }
    if (last) return more ? std::nullopt : std::optional(std::move(parameters));
    if (!more) {
      // "/files" is "/files/" with nothing after it.
      if (IsRest(pattern)) continue;
      return std::nullopt;
    }
  }
}

}  // namespace

Router::Router(Routes routes) : routes_(std::move(routes)) {}

std::variant<Router::Found, Router::NotFound, Router::WrongMethod> Router::Find(
    std::string_view method, std::string_view raw_path) const {
  std::set<std::string_view> allowed;
  std::optional<Found> instead;  // GET, for HEAD
  for (const Route& route : routes_) {
    auto parameters = Match(route.path, raw_path);
    if (!parameters) continue;
    if (route.method == method) return Found{&route, std::move(*parameters)};
    allowed.insert(route.method);
    if (method == "HEAD" && route.method == "GET" && !instead) {
      instead = Found{&route, std::move(*parameters)};
    }
  }
  if (instead) return std::move(*instead);
  if (allowed.empty()) return NotFound{};
  WrongMethod wrong;
  for (const std::string_view one : allowed) {
    if (!wrong.allow.empty()) wrong.allow += ", ";
    wrong.allow += one;
  }
  return wrong;
}

}  // namespace cordon::serve
