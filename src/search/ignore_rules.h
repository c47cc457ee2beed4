// The rules of one ignore file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/glob.h"

namespace cordon::search {

enum class IgnoreVerdict { kNone, kIgnore, kKeep };
enum class EntryKind { kFile, kDirectory };

// As ripgrep reads .gitignore and .ignore: the last rule that matches decides; "!" keeps;
// a "/" before the end ties a rule to the file's directory, one at the end to directories.
// Lines that are no valid pattern, or longer than Glob::kLongest, are passed over.
// Thread safety: const methods may run concurrently.
class IgnoreRules {
 public:
  // Beyond so many rules, or bytes, of one file the rest is passed over.
  static constexpr std::size_t kMostRules = 20'000;
  static constexpr std::size_t kMostBytes = 1u << 20;
  // Of those that are no plain name, path or ending, each of which every name is held to.
  static constexpr std::size_t kMostGeneral = 500;

  static IgnoreRules Parse(std::string_view text);
  // Adds one line. Errors: kInvalidArguments if it is no valid pattern.
  Status Add(std::string_view line);

  // `path` is below the file's directory.
  IgnoreVerdict Judge(std::string_view path, EntryKind kind) const;
  bool empty() const { return rules_.empty(); }
  std::size_t ignoring() const { return ignoring_; }  // rules without "!"

 private:
  struct Rule {
    bool keep = false;
    bool directories_only = false;
  };
  using Numbers = std::vector<std::uint32_t>;  // of rules, ascending
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using ByText = std::unordered_map<std::string, Numbers, Hash, std::equal_to<>>;
  struct Ending {
    std::string text;
    std::uint32_t rule;
  };
  struct General {
    Glob glob;
    std::uint32_t rule;
  };

  std::vector<Rule> rules_;
  ByText by_name_, by_path_;
  std::array<std::vector<Ending>, 256> by_last_byte_;
  std::vector<General> general_;
  std::size_t ignoring_ = 0;
};

}  // namespace cordon::search
