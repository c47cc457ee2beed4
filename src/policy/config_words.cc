#include "policy/config_words.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/printable.h"

namespace cordon::policy {
namespace {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// The known name that `found` was probably meant to be; empty if none is near.
std::string_view Nearest(std::string_view found, std::span<const std::string_view> known) {
  if (found.size() > 40) return {};
  std::string_view nearest;
  std::size_t best = std::max<std::size_t>(2, found.size() / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t distance = EditDistance(found, name);
    if (distance < best && distance < name.size()) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace

std::string Listed(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += Quoted(name);
  }
  return list;
}

std::string Suggestion(std::string_view found, std::span<const std::string_view> known) {
  const std::string_view nearest = Nearest(found, known);
  return nearest.empty() ? std::string() : "; did you mean " + Quoted(nearest) + "?";
}

}  // namespace cordon::policy
