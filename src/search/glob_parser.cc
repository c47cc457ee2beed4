#include "search/glob_parser.h"

#include <string>
#include <utility>

#include "base/try.h"
#include "search/glob.h"

namespace cordon::search {
namespace {

using Kind = GlobPart::Kind;
using Parts = std::vector<GlobPart>;

constexpr std::size_t kDeepest = 32;

Error BadGlob(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "compile pattern";
  error.component = "pattern";
  error.detail = std::move(detail);
  return error;
}

GlobPart Byte(char c) {
  GlobPart part;
  part.byte = static_cast<unsigned char>(c);
  return part;
}

GlobPart Of(Kind kind) {
  GlobPart part;
  part.kind = kind;
  return part;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { open_.push_back({{}}); }

  Result<Parts> Run() {
    while (at_ < text_.size()) TRY(Next());
    if (open_.size() > 1) return BadGlob("a \"{\" is not closed");
    return std::move(open_.front().front());
  }

 private:
  bool nested() const { return open_.size() > 1; }
  Parts& here() { return open_.back().back(); }
  int Peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }

  Status Next() {
    const std::size_t position = at_;
    const char c = text_[at_++];
    switch (c) {
      case '?': here().push_back(Of(Kind::kAny)); return {};
      case '*': Star(position); return {};
      case '[': return Class();
      case '{':
        if (open_.size() > kDeepest) return BadGlob("\"{\" is nested too deep");
        open_.push_back({{}});
        return {};
      case '}': return Close();
      case '\\':
        if (at_ == text_.size()) return BadGlob("a \"\\\" at the end stands for nothing");
        here().push_back(Byte(text_[at_++]));
        return {};
      case ',':
        if (!nested()) break;
        open_.back().emplace_back();
        return {};
      default: break;
    }
    here().push_back(Byte(c));
    return {};
  }

  Status Close() {
    if (!nested()) return BadGlob("a \"}\" has no \"{\"");
    GlobPart part = Of(Kind::kAlternates);
    // As ripgrep has it, an empty alternative is none.
    for (Parts& alternative : open_.back()) {
      if (!alternative.empty()) part.alternatives.push_back(std::move(alternative));
    }
    open_.pop_back();
    if (!part.alternatives.empty()) here().push_back(std::move(part));
    return {};
  }

  // `position` is that of the first star, which was read.
  void Star(std::size_t position) {
    const auto two_stars = [&] { here().push_back(Of(Kind::kStar)); };  // two are as one
    if (Peek() != '*') {
      here().push_back(Of(Kind::kStar));
      return;
    }
    ++at_;
    if (here().empty()) {
      if (Peek() != -1 && Peek() != '/') return two_stars();
      here().push_back(Of(Kind::kPrefix));
      if (Peek() == '/') ++at_;
      return;
    }
    const char before = text_[position - 1];
    if (before != '/') {
      if (!nested() || (before != ',' && before != '{')) return two_stars();
    }
    const bool suffix = Peek() == -1 || (nested() && (Peek() == ',' || Peek() == '}'));
    if (!suffix && Peek() != '/') return two_stars();
    if (!suffix) ++at_;
    const Kind last = here().back().kind;
    if (last == Kind::kPrefix || last == Kind::kSuffix) return;
    here().pop_back();  // the "/"
    here().push_back(Of(suffix ? Kind::kSuffix : Kind::kMiddle));
  }

  Status Class() {
    GlobPart part = Of(Kind::kClass);
    bool negated = false;
    if (Peek() == '!' || Peek() == '^') {
      negated = true;
      ++at_;
    }
    int low = -1;  // a range may begin here
    bool in_range = false;
    for (bool first = true;; first = false) {
      if (at_ == text_.size()) return BadGlob("a \"[\" is not closed");
      const auto c = static_cast<unsigned char>(text_[at_++]);
      if (c == ']' && !first) break;
      if (c == '-' && !first && !in_range) {
        in_range = true;
        continue;
      }
      if (in_range) {
        if (c < low) return BadGlob("a range in \"[...]\" ends before it begins");
        for (int member = low; member <= c; ++member) {
          part.members.set(static_cast<std::size_t>(member));
        }
        in_range = false;
      } else {
        part.members.set(c);
      }
      low = c;
    }
    if (in_range) part.members.set('-');
    if (negated) part.members.flip();
    part.members.reset('/');
    here().push_back(std::move(part));
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  // For each open "{", its alternatives so far; the first is the pattern itself.
  std::vector<std::vector<Parts>> open_;
};

}  // namespace

Result<std::vector<GlobPart>> ParseGlob(std::string_view pattern) {
  if (pattern.size() > Glob::kLongest) return BadGlob("the pattern is too long");
  return Parser(pattern).Run();
}

}  // namespace cordon::search
