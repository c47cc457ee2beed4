// One pattern, ready to be looked for in lines.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "search/finder.h"

namespace re2 {
class RE2;
}

namespace cordon::search {

enum class PatternMode { kRegex, kLiteral };
enum class LetterCase {
  kSensitive,
  kInsensitive,  // by Unicode's simple folding
  kSmart,        // insensitive unless the pattern has a capital letter
};
enum class AcrossLines { kNo, kYes };

struct PatternTerms {
  PatternMode mode = PatternMode::kRegex;
  LetterCase letter_case = LetterCase::kSensitive;
  AcrossLines across = AcrossLines::kNo;
};

// Regular expressions are RE2's; "^" and "$" stand for the ends of lines; \w, \d, \s and
// \b know ASCII only. Bytes that are no UTF-8 are matched by no character, and do no harm.
// Guarantees: time in proportion to the text.
// Thread safety: none; each thread has a Clone.
class Matcher {
 public:
  // Errors: kInvalidArguments, with what is wrong with the pattern.
  static Result<Matcher> Compile(std::string_view pattern, const PatternTerms& terms);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();
  Matcher Clone() const;

  static constexpr std::size_t npos = std::string_view::npos;
  // Some position in the first line that matches, of those that begin at or after `from`;
  // npos if there is none. `text` is whole lines, `from` the beginning of one.
  std::size_t FindLine(std::string_view text, std::size_t from);

  struct Span {
    std::size_t begin, end;
  };
  // The first match that begins at or after `from`, wherever lines end.
  std::optional<Span> FindSpan(std::string_view text, std::size_t from) const;

  AcrossLines across() const { return across_; }

 private:
  Matcher() = default;
  Status CompileRegex(std::string expression, LetterCase letter_case);
  std::size_t NextCandidate(std::string_view text, std::size_t from);
  bool MatchesLine(std::string_view line) const;
  std::size_t FindByRegex(std::string_view text, std::size_t from) const;

  AcrossLines across_ = AcrossLines::kNo;
  std::string expression_;  // of regex_, to compile another
  bool insensitive_ = false;
  std::unique_ptr<re2::RE2> regex_;  // null: the only finder is the pattern
  // A line that matches contains one of these; empty: nothing is known.
  std::vector<Finder> finders_;
  std::vector<std::size_t> next_;  // of each finder, while one text is searched
  // How much the finders save, to do without them where they save nothing.
  std::size_t candidates_ = 0, passed_ = 0;
};

}  // namespace cordon::search
