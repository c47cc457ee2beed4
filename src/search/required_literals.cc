#include "search/required_literals.h"

#include <re2/filtered_re2.h>

#include <algorithm>

#include "search/finder.h"

namespace cordon::search {
namespace {

constexpr std::size_t kShortest = 3;
constexpr std::size_t kMostLiterals = 6;

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// The longest run of bytes that `usable` accepts.
template <typename Usable>
std::string LongestRun(std::string_view text, const Usable& usable) {
  std::string_view best;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && usable(text[end])) ++end;
    if (end - begin > best.size()) best = text.substr(begin, end - begin);
    begin = end + 1;
  }
  return std::string(best);
}

// Whether every literal character of the expression stands in it as itself.
bool IsPlainAscii(const std::string& expression) {
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (!IsAscii(expression[i])) return false;
    if (expression[i] != '\\' || i + 1 == expression.size()) continue;
    const char next = expression[++i];
    if (next == 'x' || next == 'p' || next == 'P' || (next >= '0' && next <= '9')) return false;
  }
  return true;
}

}  // namespace

std::string FoldableSegment(std::string_view literal) {
  return LongestRun(
      literal, [](char c) { return IsAscii(c) && c != 'k' && c != 'K' && c != 's' && c != 'S'; });
}

std::vector<std::string> RequiredLiterals(const std::string& expression, Folding folding) {
  if (!IsPlainAscii(expression)) return {};
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(folding == Folding::kAsWritten);
  re2::FilteredRE2 filter(static_cast<int>(kShortest));
  int id = 0;
  if (filter.Add(expression, options, &id) != re2::RE2::NoError) return {};
  std::vector<std::string> atoms;
  filter.Compile(&atoms);
  const auto possible_with = [&](const std::vector<int>& present) {
    std::vector<int> possible;
    filter.AllPotentials(present, &possible);
    return !possible.empty();
  };
  if (atoms.empty() || possible_with({})) return {};
  // RE2's atoms are in lower case, in which the Kelvin sign is a "k".
  std::vector<std::string> usable;
  usable.reserve(atoms.size());
  for (const std::string& atom : atoms) {
    usable.push_back(LongestRun(atom, [](char c) { return IsAscii(c) && c != 'k'; }));
  }
  // One that nothing can do without, and the least common of those.
  std::vector<std::string> best;
  int least = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (usable[i].size() < kShortest) continue;
    std::vector<int> others;
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      if (j != i) others.push_back(static_cast<int>(j));
    }
    if (possible_with(others)) continue;
    const int common = Finder(usable[i], AsciiCase::kInsensitive).commonness();
    if (best.empty() || common < least) {
      best = {usable[i]};
      least = common;
    }
  }
  if (!best.empty()) return best;
  const bool all_usable = std::all_of(usable.begin(), usable.end(), [](const std::string& literal) {
    return literal.size() >= kShortest;
  });
  if (!all_usable || usable.size() > kMostLiterals) return {};
  return usable;
}

}  // namespace cordon::search
