#include "search/finder.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace cordon::search {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr unsigned char kCaseBit = 0x20;

bool IsLower(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
char Lower(char c) {
  return IsUpper(static_cast<unsigned char>(c)) ? static_cast<char>(c | kCaseBit) : c;
}

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), Lower);
  return lowered;
}

}  // namespace

Finder::Finder(std::string needle, AsciiCase ascii_case)
    : needle_(ascii_case == AsciiCase::kInsensitive ? Lowered(needle) : std::move(needle)),
      case_(ascii_case) {
  // The two rarest bytes, the rarest first.
  const auto rank = [&](std::size_t i) {
    const auto byte = static_cast<unsigned char>(needle_[i]);
    int common = CommonnessOf(byte);
    if (case_ == AsciiCase::kInsensitive && IsLower(byte)) {
      common += CommonnessOf(static_cast<unsigned char>(byte - kCaseBit)) / 2;
    }
    return common;
  };
  std::size_t first = 0;
  for (std::size_t i = 1; i < needle_.size(); ++i) {
    if (rank(i) < rank(first)) first = i;
  }
  std::size_t second = first == 0 ? needle_.size() - 1 : 0;
  for (std::size_t i = 0; i < needle_.size(); ++i) {
    if (i == first || needle_[i] == needle_[first]) continue;
    if (second == first || needle_[second] == needle_[first] || rank(i) < rank(second)) second = i;
  }
  const auto mask = [&](std::size_t i) -> unsigned char {
    const bool folds =
        case_ == AsciiCase::kInsensitive && IsLower(static_cast<unsigned char>(needle_[i]));
    return folds ? kCaseBit : 0;
  };
  pair_ = {first,
           second,
           static_cast<unsigned char>(needle_[first]),
           static_cast<unsigned char>(needle_[second]),
           mask(first),
           mask(second)};
  commonness_ = rank(first) + rank(second);
}

bool Finder::MatchesAt(const char* at) const {
  if (case_ == AsciiCase::kSensitive) return std::memcmp(at, needle_.data(), needle_.size()) == 0;
  for (std::size_t i = 0; i < needle_.size(); ++i) {
    if (Lower(at[i]) != needle_[i]) return false;
  }
  return true;
}

std::size_t Finder::Find(std::string_view text, std::size_t from) const {
  if (needle_.size() == 1 && case_ == AsciiCase::kSensitive) return text.find(needle_[0], from);
  // Looks that come to nothing may cost as much as the bytes they lie in, and no more.
  std::size_t credit = 64 * 1024;
  std::size_t at = from;
  while (true) {
    const std::size_t hit = FindPair(text, at, pair_, needle_.size());
    if (hit == npos) return npos;
    if (MatchesAt(text.data() + hit)) return hit;
    credit += hit + 1 - at;
    at = hit + 1;
    if (credit < needle_.size()) return FindSlowly(text, at);
    credit -= needle_.size();
  }
}

std::size_t Finder::FindSlowly(std::string_view text, std::size_t from) const {
  const auto search = [&](std::string_view where) {
    const void* found = ::memmem(where.data(), where.size(), needle_.data(), needle_.size());
    if (found == nullptr) return npos;
    return from + static_cast<std::size_t>(static_cast<const char*>(found) - where.data());
  };
  if (case_ == AsciiCase::kSensitive) return search(text.substr(from));
  return search(Lowered(text.substr(from)));
}

}  // namespace cordon::search
