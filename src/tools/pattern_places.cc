#include "tools/pattern_places.h"

#include <re2/re2.h>

#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::tools {
namespace {

// Of a compiled pattern and its automaton. One that outgrows it is slower, not larger.
constexpr std::int64_t kMaxMemory = 16 << 20;
// One search is linear, but a pattern may look far ahead at each of many places.
constexpr std::chrono::seconds kMaxSearch{20};

Error PatternError(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "regex";
  error.detail = std::move(detail);
  return error;
}

Status CheckPattern(const re2::RE2& compiled, std::string_view rewrite) {
  if (!compiled.ok()) {
    const bool large = compiled.error_code() == re2::RE2::ErrorPatternTooLarge ||
                       compiled.error_code() == re2::RE2::ErrorRepeatSize;
    return PatternError(large ? ErrorCode::kLimitExceeded : ErrorCode::kInvalidArguments,
                        "the regular expression is not valid: " + Printable(compiled.error()));
  }
  std::string wrong;
  if (!compiled.CheckRewriteString({rewrite.data(), rewrite.size()}, &wrong)) {
    return PatternError(ErrorCode::kInvalidArguments,
                        "the new text of a regular expression has \\0 to \\9 for groups and "
                        "\\\\ for a backslash: " +
                            Printable(wrong));
  }
  return {};
}

}  // namespace

Result<Found> FindPattern(std::string_view text, std::string_view pattern, std::string_view rewrite,
                          const PatternLimits& limits) {
  if (pattern.size() > kMaxPattern) {
    return PatternError(ErrorCode::kTooLarge, "a regular expression has at most " +
                                                  std::to_string(kMaxPattern) + " bytes");
  }
  re2::RE2::Options options;
  options.set_max_mem(kMaxMemory);
  options.set_log_errors(false);
  const re2::RE2 compiled("(?m)" + std::string(pattern), options);
  TRY(CheckPattern(compiled, rewrite));
  const re2::StringPiece rewrite_piece(rewrite.data(), rewrite.size());
  const re2::StringPiece whole(text.data(), text.size());
  std::array<re2::StringPiece, 10> groups;
  const int used = 1 + re2::RE2::MaxSubmatch(rewrite_piece);
  const auto deadline = std::chrono::steady_clock::now() + kMaxSearch;
  Found found;
  std::size_t at = 0, bytes = 0;
  bool after_match = false;  // at the end of the last one
  while (at <= text.size() &&
         compiled.Match(whole, at, text.size(), re2::RE2::UNANCHORED, groups.data(), used)) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
    const std::size_t end = begin + groups[0].size();
    if (begin == end && after_match && begin == at) {  // begin again one character on
      after_match = false;
      do ++at;
      while (at < text.size() && (text[at] & 0xC0) == 0x80);
      continue;
    }
    std::string next;
    if (!compiled.Rewrite(&next, rewrite_piece, groups.data(), used)) {
      return PatternError(ErrorCode::kInvalidArguments, "the new text names a group too many");
    }
    bytes += next.size();
    if (found.places.size() == limits.most_places || bytes > limits.most_bytes) {
      return PatternError(ErrorCode::kLimitExceeded,
                          "the regular expression matches at more than " +
                              std::to_string(found.places.size()) + " places");
    }
    found.places.push_back({begin, end, std::move(next)});
    at = end;
    after_match = true;
    if (limits.stop.stop_requested() || std::chrono::steady_clock::now() > deadline) {
      return PatternError(ErrorCode::kLimitExceeded,
                          "the search was ended after " + std::to_string(found.places.size()) +
                              " matches; use a pattern that looks less far ahead");
    }
  }
  found.count = found.disjoint = found.places.size();
  return found;
}

}  // namespace cordon::tools
