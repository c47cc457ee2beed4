// Patterns for paths, as ripgrep's -g and .gitignore know them.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::search {

// "*" and "?" stand for bytes other than "/"; "**" as a whole component for any number of
// components, none included, and at the end for at least one; "[a-z]", "[!a-z]" and
// "[^a-z]" for one byte other than "/"; "{a,b}" for either, nested as one likes; "\" takes
// the next character as it is. A pattern is held against a whole path.
// Guarantees: matching takes time in proportion to the path times the pattern, at worst.
// Thread safety: const methods may run concurrently.
class Glob {
 public:
  static constexpr std::size_t kLongest = 4096;

  // Errors: kInvalidArguments: an unclosed "[" or "{", an unopened "}", a range that ends
  //   before it begins, a "\" at the end, longer than kLongest.
  static Result<Glob> Compile(std::string_view pattern);

  bool Matches(std::string_view path) const;
  // False only if nothing below the directory `path` can match; "" is where paths begin.
  bool MayMatchBelow(std::string_view path) const;

  // What most patterns are, for those who sort many of them.
  enum class Shape {
    kGeneral,
    kName,       // **/text: the last component is this
    kNameEnd,    // **/*text: it ends in this
    kPath,       // text: the whole path is this
    kEverything  // **
  };
  Shape shape() const { return shape_; }
  const std::string& text() const { return text_; }  // of the shape

 private:
  enum class Kind : std::uint8_t {
    kByte,      // this one
    kAny,       // one other than "/"
    kClass,     // one of a set
    kStar,      // any number other than "/"
    kAnything,  // any number
    kSplit,     // here or there
    kJump,
    kEnd
  };
  struct Step {
    Kind kind;
    unsigned char byte = 0;
    std::uint32_t next = 0;  // kSplit: there; kJump: where to; kClass: which set
  };
  friend class GlobCompiler;
  class States;
  class FewStates;
  // How a step takes a byte.
  enum class Taken { kNot, kStays, kGoesOn };
  Taken Take(const Step& step, unsigned char byte) const;
  template <typename AnyStates>
  bool Advance(std::string_view bytes, AnyStates& states) const;
  template <typename AnyStates>
  bool MatchesFrom(std::uint32_t step, std::string_view bytes) const;
  template <typename AnyStates>
  bool LeavesSomething(std::string_view path) const;
  std::uint32_t end() const { return static_cast<std::uint32_t>(steps_.size() - 1); }

  std::vector<Step> steps_;
  std::vector<std::uint64_t> reach_;  // of each step, if they are few: those one stands at with it
  std::uint32_t name_step_ = 0;       // not 0: "**/" is before it, and it begins the last component
  bool anywhere_ = false;             // begins with "**": something may match in every directory
  std::vector<std::bitset<256>> classes_;
  std::string prefix_, suffix_;  // what every match begins and ends with
  Shape shape_ = Shape::kGeneral;
  std::string text_;
};

}  // namespace cordon::search
