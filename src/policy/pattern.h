// Patterns over the names in a path: compiled once, matched without backtracking
// that grows, in every spelling that a file system may take for the same name.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "path/name_rules.h"
#include "policy/pattern_tokens.h"

namespace cordon::policy {

// Longest pattern that is compiled.
inline constexpr std::size_t kMaxPatternBytes = 4096;

// The single rules a volume may follow, and all at once for the unknown one.
inline constexpr std::array<path::NameRules, 5> kKeyRules{
    path::NameRules::kCaseFold, path::NameRules::kNtfs, path::NameRules::kHfs,
    path::NameRules::kLinuxFold, path::NameRules::kAll};

// kOdd: its ends do not tell what a file system may take it for, because of
// characters beyond ASCII, an alias' or a stream's mark, or something to strip.
// kAscii: at most the case of its letters may be taken for another.
enum class NameLook { kAscii, kOdd };
NameLook LookOf(std::string_view name);

// One name and, made when first asked for, its keys under kKeyRules.
class KeyedName {
 public:
  explicit KeyedName(std::string_view name) : name_(name) {}
  std::string_view name() const { return name_; }
  const std::string& key(std::size_t rule);  // index into kKeyRules

 private:
  std::string_view name_;
  std::array<std::optional<std::string>, kKeyRules.size()> keys_;
};

// A pattern for one name: "*" any characters, "?" one, "[a-z]" and "[!a-z]" one
// of or none of, "\" takes the next character as it is. A character is a code
// point; a byte that is not UTF-8 is a character of its own.
// Guarantees: time to match is at most the product of both lengths.
class NamePattern {
 public:
  // Errors: kInvalidArguments with the pattern in `component`.
  static Result<NamePattern> Compile(std::string_view text);

  bool Matches(std::string_view name) const;

  // The rules under which `name` may be another spelling of a name that matches,
  // and of none in `except`. Errs towards more rules, never fewer.
  path::NameRules MayAlias(KeyedName& name, NameLook look,
                           std::span<const std::string> except) const;

  // A quick test: false only if MayAlias is kExact for `name`, which does not match.
  bool WorthAliasing(std::string_view name, NameLook look) const;

  // The bytes, in lower case, with which an ASCII name must begin (or end) to
  // match in any spelling; empty: with any.
  const std::vector<unsigned char>& FirstBytes() const { return first_bytes_; }
  const std::vector<unsigned char>& LastBytes() const { return last_bytes_; }

 private:
  enum class Shape { kLiteral, kPrefix, kSuffix, kGeneral };  // "a", "a*", "*a"

  const PatternTokens& FoldedUnder(std::size_t rule) const;
  void Fold();

  Shape shape_ = Shape::kGeneral;
  std::string literal_;  // of the simple shapes
  PatternTokens tokens_;
  std::vector<PatternTokens> folded_;  // under each of kKeyRules; none if it is its own fold
  bool one_to_one_ = false;  // no "?" or "[...]", which may take several characters of a key
  std::string short_name_glob_;
  std::vector<unsigned char> first_bytes_, last_bytes_;
  std::bitset<256> first_, last_;  // the same
  bool stable_ = false;            // only names that are not in lower case may be aliases
};

}  // namespace cordon::policy
