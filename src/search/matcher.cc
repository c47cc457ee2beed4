#include "search/matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "search/required_literals.h"

namespace cordon::search {
namespace {

constexpr std::size_t kLongestPattern = 16 * 1024;
constexpr std::int64_t kRegexMemory = 32 << 20;
constexpr std::size_t kDone = std::string_view::npos - 1;  // as next_: not looked for yet

Error BadPattern(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "compile pattern";
  error.component = "pattern";
  error.detail = std::move(detail);
  return error;
}

bool IsLiteral(std::string_view pattern) {
  return pattern.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos;
}

bool HasCapital(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;  // \W and \S are no capitals
      continue;
    }
    if (pattern[i] >= 'A' && pattern[i] <= 'Z') return true;
  }
  return false;
}

re2::RE2::Options OptionsFor(bool insensitive, AcrossLines across) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!insensitive);
  options.set_max_mem(kRegexMemory);
  options.set_never_nl(across == AcrossLines::kNo);
  return options;
}

std::size_t LineBegin(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t LineEnd(std::string_view text, std::size_t at) {
  const std::size_t newline = text.find('\n', at);
  return newline == std::string_view::npos ? text.size() : newline;
}

}  // namespace

Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::Compile(std::string_view pattern, const PatternTerms& terms) {
  if (pattern.empty()) return BadPattern("the pattern is empty");
  if (pattern.size() > kLongestPattern) return BadPattern("the pattern is too long");
  if (pattern.find('\0') != std::string_view::npos) return BadPattern("the pattern contains NUL");
  if (terms.across == AcrossLines::kNo && pattern.find('\n') != std::string_view::npos) {
    return BadPattern("the pattern contains a line break; set multiline to search across lines");
  }
  Matcher matcher;
  matcher.across_ = terms.across;
  const bool literal = terms.mode == PatternMode::kLiteral || IsLiteral(pattern);
  LetterCase letter_case = terms.letter_case;
  if (letter_case == LetterCase::kSmart) {
    letter_case = HasCapital(pattern) ? LetterCase::kSensitive : LetterCase::kInsensitive;
  }
  if (!literal) {
    TRY(matcher.CompileRegex(std::string(pattern), letter_case));
    const Folding folding =
        letter_case == LetterCase::kSensitive ? Folding::kAsWritten : Folding::kInsensitive;
    for (std::string& needed : RequiredLiterals(matcher.expression_, folding)) {
      matcher.finders_.emplace_back(std::move(needed), AsciiCase::kInsensitive);
    }
  } else if (letter_case == LetterCase::kSensitive) {
    matcher.finders_.emplace_back(std::string(pattern), AsciiCase::kSensitive);
  } else {
    const std::string segment = FoldableSegment(pattern);
    if (!segment.empty()) matcher.finders_.emplace_back(segment, AsciiCase::kInsensitive);
    if (segment.size() != pattern.size()) {
      TRY(matcher.CompileRegex(
          re2::RE2::QuoteMeta(re2::StringPiece(pattern.data(), pattern.size())), letter_case));
    }
  }
  return matcher;
}

Status Matcher::CompileRegex(std::string expression, LetterCase letter_case) {
  insensitive_ = letter_case == LetterCase::kInsensitive;
  expression_ = "(?m)" + std::move(expression);
  regex_ = std::make_unique<re2::RE2>(expression_, OptionsFor(insensitive_, across_));
  if (!regex_->ok()) return BadPattern(regex_->error());
  return {};
}

Matcher Matcher::Clone() const {
  Matcher clone;
  clone.across_ = across_;
  clone.expression_ = expression_;
  clone.insensitive_ = insensitive_;
  clone.finders_ = finders_;
  if (regex_) {
    clone.regex_ = std::make_unique<re2::RE2>(expression_, OptionsFor(insensitive_, across_));
  }
  return clone;
}

bool Matcher::MatchesLine(std::string_view line) const {
  return regex_->Match({line.data(), line.size()}, 0, line.size(), re2::RE2::UNANCHORED, nullptr,
                       0);
}

std::size_t Matcher::FindByRegex(std::string_view text, std::size_t from) const {
  re2::StringPiece found;
  if (!regex_->Match({text.data(), text.size()}, from, text.size(), re2::RE2::UNANCHORED, &found,
                     1)) {
    return npos;
  }
  const auto at = static_cast<std::size_t>(found.data() - text.data());
  // After the last line break there is no line.
  return at == text.size() && (at == 0 || text[at - 1] == '\n') ? npos : at;
}

std::size_t Matcher::NextCandidate(std::string_view text, std::size_t from) {
  if (finders_.size() == 1) return finders_.front().Find(text, from);
  std::size_t nearest = npos;
  for (std::size_t i = 0; i < finders_.size(); ++i) {
    if (next_[i] == kDone || (next_[i] != npos && next_[i] < from)) {
      next_[i] = finders_[i].Find(text, from);
    }
    nearest = std::min(nearest, next_[i]);
  }
  return nearest;
}

std::size_t Matcher::FindLine(std::string_view text, std::size_t from) {
  if (!regex_) return finders_.front().Find(text, from);
  // A candidate costs about as much as a hundred bytes of the expression's own search.
  constexpr std::size_t kWorth = 100;
  constexpr std::size_t kTrial = 512;
  if (candidates_ > kTrial && passed_ / candidates_ < kWorth) finders_.clear();
  if (finders_.empty()) return FindByRegex(text, from);
  next_.assign(finders_.size(), kDone);
  while (true) {
    const std::size_t hit = NextCandidate(text, from);
    passed_ += (hit == npos ? text.size() : hit) - from;
    if (hit == npos) return npos;
    const std::size_t begin = LineBegin(text, hit);
    const std::size_t end = LineEnd(text, hit);
    ++candidates_;
    if (MatchesLine(text.substr(begin, end - begin))) return hit;
    if (end >= text.size()) return npos;
    from = end + 1;
  }
}

std::optional<Matcher::Span> Matcher::FindSpan(std::string_view text, std::size_t from) const {
  if (!regex_) {
    const std::size_t hit = finders_.front().Find(text, from);
    if (hit == npos) return std::nullopt;
    return Span{hit, hit + finders_.front().needle().size()};
  }
  re2::StringPiece found;
  if (!regex_->Match({text.data(), text.size()}, from, text.size(), re2::RE2::UNANCHORED, &found,
                     1)) {
    return std::nullopt;
  }
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return Span{begin, begin + found.size()};
}

}  // namespace cordon::search
