#include "serve/query.h"

#include <charconv>
#include <utility>

#include "base/percent.h"
#include "base/try.h"

namespace cordon::serve {
namespace {

Error Bad(std::string_view name, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "query";
  error.component = name;
  error.detail = std::move(detail);
  return error;
}

Result<std::string> Decoded(std::string_view text) {
  std::string spaced(text);
  for (char& letter : spaced) {
    if (letter == '+') letter = ' ';
  }
  return PercentDecode(spaced);
}

}  // namespace

Result<Query> Query::Parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    TRY_ASSIGN(std::string name, Decoded(pair.substr(0, equals)));
    TRY_ASSIGN(std::string value, Decoded(pair.substr(std::min(equals + 1, pair.size()))));
    query.values_.emplace(std::move(name), std::move(value));
  }
  return query;
}

std::optional<std::string> Query::Text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Query::List(std::string_view name) const {
  std::vector<std::string> all;
  const auto [first, last] = values_.equal_range(name);
  for (auto one = first; one != last; ++one) {
    std::string_view rest = one->second;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) all.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return all;
}

Result<std::uint64_t> Query::NumberOr(std::string_view name, std::uint64_t otherwise,
                                      std::uint64_t least, std::uint64_t most) const {
  const auto text = Text(name);
  if (!text) return otherwise;
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (failed != std::errc() || end != text->data() + text->size() || number < least ||
      number > most) {
    return Bad(name, "this must be a number from " + std::to_string(least) + " to " +
                         std::to_string(most));
  }
  return number;
}

}  // namespace cordon::serve
