#include "tools/reindent.h"

#include <algorithm>

#include "tools/line_search.h"

namespace cordon::tools {
namespace {

bool IsAll(std::string_view text, char c) {
  return text.find_first_not_of(c) == std::string_view::npos;
}

}  // namespace

void Reindent::Learn(std::string_view quoted, std::string_view found) {
  if (Trim(quoted).empty() || Trim(found).empty()) return;
  known_.try_emplace(std::string(IndentOf(quoted)), IndentOf(found));
}

// One tab for as many spaces as the quoted lines show, or the reverse.
std::string Reindent::Deeper(std::string_view rest) const {
  for (const auto& [quoted, found] : known_) {
    if (quoted.empty() || found.empty() || quoted[0] == found[0]) continue;
    if (!IsAll(quoted, quoted[0]) || !IsAll(found, found[0]) || !IsAll(rest, quoted[0])) continue;
    const std::size_t length = rest.size() * found.size();
    if (length % quoted.size() == 0) return std::string(length / quoted.size(), found[0]);
  }
  return std::string(rest);
}

std::string Reindent::Apply(std::string_view line) const {
  const std::string_view indent = IndentOf(line);
  const std::string_view rest = line.substr(indent.size());
  if (rest.empty() || known_.empty()) return std::string(line);
  const std::string* best = nullptr;  // the longest known beginning of it
  for (const auto& [quoted, found] : known_) {
    if (indent.starts_with(quoted) && (best == nullptr || quoted.size() >= best->size())) {
      best = &quoted;
    }
  }
  if (best != nullptr) {
    std::string made = known_.find(*best)->second + Deeper(indent.substr(best->size()));
    return made.append(rest);
  }
  // Less than any that is known: as much more or less as the least of those.
  const auto least =
      std::ranges::min_element(known_, {}, [](const auto& one) { return one.first.size(); });
  const auto& [quoted, found] = *least;
  if (found.ends_with(quoted)) {
    std::string made = found.substr(0, found.size() - quoted.size());
    return made.append(line);
  }
  const std::size_t less = quoted.size() > found.size() ? quoted.size() - found.size() : 0;
  std::string made(indent.substr(std::min(less, indent.size())));
  return made.append(rest);
}

}  // namespace cordon::tools
