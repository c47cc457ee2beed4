// DenyList against a matcher that is slow and obvious, on random rules and paths.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "path/name_rules.h"
#include "policy/deny_list.h"

namespace cordon::policy {
namespace {

using Random = std::mt19937_64;
using Strings = std::vector<std::string>;

// One element of a pattern, as the generator made it.
struct Piece {
  std::string text;             // as written
  std::set<std::string> takes;  // the characters it takes; empty: any one
  bool star = false;
};
using Pieces = std::vector<Piece>;

const Strings kCharacters{"a", "b", "A", "B", ".", "e", "\u00e9", "\xff", "*", " "};

std::string Pick(Random& random, const Strings& from) { return from[random() % from.size()]; }

// Characters of a text that was made of kCharacters.
Strings Characters(const std::string& text) {
  Strings characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text.compare(i, 2, "\u00e9") == 0 ? 2 : 1;
    characters.push_back(text.substr(i, length));
    i += length;
  }
  return characters;
}

Piece RandomPiece(Random& random) {
  switch (random() % 12) {
    case 0:
    case 1: return {"*", {}, true};
    case 2: return {"?", {}, false};
    case 3: return {"[ab]", {"a", "b"}, false};
    case 4: return {"[!a]", {"b", "A", "B", ".", "e", "\u00e9", "\xff", "*", " "}, false};
    case 5: return {"[A-B]", {"A", "B"}, false};
    case 6: return {"\\*", {"*"}, false};
    case 7: return {"\u00e9", {"\u00e9"}, false};
    default: {
      const std::string c = Pick(random, {"a", "b", "A", "."});
      return {c, {c}, false};
    }
  }
}

Pieces RandomName(Random& random) {
  for (;;) {
    Pieces pieces(1 + random() % 4);
    std::string text;
    for (Piece& piece : pieces) {
      piece = RandomPiece(random);
      text += piece.text;
    }
    if (text != "." && text != ".." && text != "**") return pieces;
  }
}

bool ReferenceMatch(const Pieces& pieces, const Strings& name, std::size_t p = 0,
                    std::size_t n = 0) {
  if (p == pieces.size()) return n == name.size();
  const Piece& piece = pieces[p];
  if (piece.star) {
    return ReferenceMatch(pieces, name, p + 1, n) ||
           (n < name.size() && ReferenceMatch(pieces, name, p, n + 1));
  }
  if (n == name.size()) return false;
  if (!piece.takes.empty() && !piece.takes.contains(name[n])) return false;
  return ReferenceMatch(pieces, name, p + 1, n + 1);
}

struct RandomRule {
  std::vector<Pieces> names;  // an empty one is "**"
  bool anchored = false;
  DenyRule rule;
};

RandomRule MakeRule(Random& random) {
  RandomRule made;
  made.anchored = random() % 2 == 0;
  const std::size_t parts = made.anchored ? 1 + random() % 3 : 1;
  if (made.anchored) made.rule.pattern = "/";
  for (std::size_t i = 0; i < parts; ++i) {
    if (i > 0) made.rule.pattern += "/";
    if (i + 1 < parts && random() % 3 == 0) {
      made.names.emplace_back();
      made.rule.pattern += "**";
      continue;
    }
    made.names.push_back(RandomName(random));
    for (const Piece& piece : made.names.back()) made.rule.pattern += piece.text;
  }
  if (random() % 3 == 0) made.rule.except = {Pick(random, {"a", "ab", "b.", "aa"})};
  return made;
}

bool Excepted(const RandomRule& rule, const std::string& name) {
  return std::find(rule.rule.except.begin(), rule.rule.except.end(), name) !=
         rule.rule.except.end();
}

bool ReferenceAnchored(const RandomRule& rule, const Strings& path, std::size_t p = 0,
                       std::size_t n = 0) {
  if (p == rule.names.size()) return n == path.size() && !Excepted(rule, path.back());
  if (rule.names[p].empty()) {
    return ReferenceAnchored(rule, path, p + 1, n) ||
           (n < path.size() && ReferenceAnchored(rule, path, p, n + 1));
  }
  return n < path.size() && ReferenceMatch(rule.names[p], Characters(path[n])) &&
         ReferenceAnchored(rule, path, p + 1, n + 1);
}

// Every place that the path passes through.
std::vector<Strings> Places(const Strings& parts) {
  std::vector<Strings> places;
  Strings place;
  for (const std::string& part : parts) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!place.empty()) place.pop_back();
    } else {
      place.push_back(part);
    }
    if (!place.empty()) places.push_back(place);
  }
  return places;
}

bool ReferenceDenied(const std::vector<RandomRule>& rules, const Strings& parts) {
  for (const RandomRule& rule : rules) {
    for (const Strings& place : Places(parts)) {
      if (rule.anchored ? ReferenceAnchored(rule, place)
                        : ReferenceMatch(rule.names[0], Characters(place.back())) &&
                              !Excepted(rule, place.back())) {
        return true;
      }
    }
  }
  return false;
}

Strings RandomPath(Random& random) {
  Strings parts(random() % 6);
  for (std::string& part : parts) {
    if (random() % 6 == 0) {
      part = Pick(random, {"", ".", ".."});
      continue;
    }
    const std::size_t length = 1 + random() % 3;
    for (std::size_t i = 0; i < length; ++i) part += Pick(random, kCharacters);
  }
  return parts;
}

std::string Join(const Strings& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "/" : "") + parts[i];
  return text;
}

std::string Patterns(const std::vector<DenyRule>& rules) {
  std::string text;
  for (const DenyRule& rule : rules) text += rule.pattern + "  ";
  return text;
}

TEST(DenyListPropertyTest, AgreesWithTheObviousMatcher) {
  Random random(20240229);
  int denied = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<RandomRule> rules(1 + random() % 3);
    std::vector<DenyRule> plain;
    for (RandomRule& rule : rules) {
      rule = MakeRule(random);
      plain.push_back(rule.rule);
    }
    const Result<DenyList> list = DenyList::Compile(plain);
    ASSERT_TRUE(list) << plain[0].pattern << ": " << list.error().detail;
    for (int i = 0; i < 8; ++i) {
      const Strings parts = RandomPath(random);
      const bool expected = ReferenceDenied(rules, parts);
      const std::string path = Join(parts);
      const DenyList::Verdict verdict = list->Check(path, Operation::kRead);
      ASSERT_EQ(verdict.denied.has_value(), expected)
          << "path \"" << path << "\", denied by "
          << (verdict.denied ? verdict.denied->rule->pattern : "none of " + Patterns(plain));
      denied += expected ? 1 : 0;
    }
  }
  EXPECT_GT(denied, 20000);  // both answers are common
  EXPECT_LT(denied, 140000);
}

// Spellings of a name that a volume under `rules` takes for the same, made by
// changes one would make by hand.
std::string Respell(Random& random, const std::string& name, path::NameRules rules) {
  std::string spelled;
  for (const char c : name) {
    if (rules == path::NameRules::kHfs && random() % 4 == 0) spelled += "\u200d";
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    spelled += letter && random() % 2 == 0 ? static_cast<char>(c ^ 0x20) : c;
  }
  if (rules == path::NameRules::kNtfs) {
    spelled += Pick(random, {"", ".", " ", ". .", ":s", "::$DATA"});
  }
  return spelled;
}

TEST(DenyListPropertyTest, NoSpellingOfADeniedNameIsClear) {
  Random random(7);
  constexpr std::array kRules{path::NameRules::kCaseFold, path::NameRules::kNtfs,
                              path::NameRules::kHfs};
  int respelled = 0;
  for (int round = 0; round < 40000; ++round) {
    RandomRule rule = MakeRule(random);
    const Result<DenyList> list = DenyList::Compile({rule.rule});
    ASSERT_TRUE(list);
    Strings parts = RandomPath(random);
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [](const std::string& part) {
                                 // What no volume holds as a name of its own.
                                 return part.empty() || part.back() == '.' || part.back() == ' ' ||
                                        part.find('\xff') != std::string::npos;
                               }),
                parts.end());
    if (!list->Check(Join(parts), Operation::kRead).denied) continue;
    const path::NameRules rules = kRules[random() % kRules.size()];
    const Strings original = parts;
    for (std::string& part : parts) part = Respell(random, part, rules);
    const DenyList::Verdict verdict = list->Check(Join(parts), Operation::kRead);
    if (verdict.denied) continue;
    ++respelled;
    const bool suspect =
        std::any_of(verdict.suspects.begin(), verdict.suspects.end(),
                    [&](const auto& match) { return path::Any(match.when & rules); });
    // The new spelling may be that of a name the rule excepts.
    const bool excepted = std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return std::any_of(rule.rule.except.begin(), rule.rule.except.end(),
                         [&](const std::string& name) {
                           return path::NameKey(part, rules) == path::NameKey(name, rules);
                         });
    });
    EXPECT_TRUE(suspect || excepted) << "\"" << Join(parts) << "\" for \"" << Join(original)
                                     << "\" under pattern \"" << rule.rule.pattern << "\"";
  }
  EXPECT_GT(respelled, 500);
}

}  // namespace
}  // namespace cordon::policy
