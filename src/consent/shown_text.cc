#include "consent/shown_text.h"

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "base/unicode.h"

namespace cordon::consent {
namespace {

enum class Kind { kName, kPreview };

constexpr std::size_t kMaxMarks = 2;

// Every space but U+0020, and the one symbol that is drawn as nothing.
bool LooksBlank(char32_t c) {
  constexpr char32_t kBlanks[] = {0xa0, 0x1680, 0x202f, 0x205f, 0x2800, 0x3000};
  return (c >= 0x2000 && c <= 0x200a) ||
         std::find(std::begin(kBlanks), std::end(kBlanks), c) != std::end(kBlanks);
}

bool IsAsciiAlphanumeric(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

class Shower {
 public:
  Shower(std::string_view text, Kind kind) : text_(text), kind_(kind) {}

  std::vector<Glyph> Show() {
    while (at_ < text_.size()) {
      const unicode::Decoded next = unicode::DecodeFirst(text_.substr(at_));
      ShowOne(next, text_.substr(at_, next.length));
      at_ += next.length;
    }
    return std::move(glyphs_);
  }

 private:
  void ShowOne(const unicode::Decoded& next, std::string_view piece) {
    const char32_t c = next.code_point;
    if (!next.valid || !unicode::ShowsAsItself(c)) return Escape(Printable(piece));
    if (c == U' ' && kind_ == Kind::kName && IsOddSpace()) return Escape("\\x20");
    if ((c == U'\\' || c == U'"') && kind_ == Kind::kName) {
      return Escape("\\" + std::string(piece));
    }
    if (c < 0x80) return Plain(piece, 1, IsAsciiAlphanumeric(c) ? kMaxMarks : 0);
    const std::size_t cells = unicode::CellWidth(c);
    if (cells == 0 && marks_left_ > 0) {
      glyphs_.back().text += piece;
      --marks_left_;
    } else if (cells == 0 || LooksBlank(c)) {
      Escape(Numbered(c));
    } else {
      // Terminals disagree about what is wide. One cell too many breaks a line early;
      // one too few would let the terminal break it, where no gutter stands.
      Plain(piece, std::max<std::size_t>(cells, 2), kMaxMarks);
    }
  }

  void Plain(std::string_view piece, std::size_t cells, std::size_t marks) {
    glyphs_.push_back({std::string(piece), cells});
    marks_left_ = marks;
  }

  void Escape(std::string text) {
    const std::size_t cells = text.size();
    glyphs_.push_back({std::move(text), cells});
    marks_left_ = 0;
  }

  // At either end, or beside another.
  bool IsOddSpace() const {
    return at_ == 0 || at_ + 1 == text_.size() || text_[at_ - 1] == ' ' || text_[at_ + 1] == ' ';
  }

  static std::string Numbered(char32_t c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text = c < 0x10000 ? "\\u" : "\\U";
    for (int shift = c < 0x10000 ? 12 : 28; shift >= 0; shift -= 4) text += kHex[(c >> shift) & 15];
    return text;
  }

  std::string_view text_;
  Kind kind_;
  std::size_t at_ = 0;
  std::size_t marks_left_ = 0;  // that may still go on the last glyph
  std::vector<Glyph> glyphs_;
};

}  // namespace

std::vector<Glyph> ShowName(std::string_view untrusted) {
  return Shower(untrusted, Kind::kName).Show();
}

std::vector<Glyph> ShowPreviewLine(std::string_view untrusted) {
  return Shower(untrusted, Kind::kPreview).Show();
}

std::string Join(const std::vector<Glyph>& glyphs) {
  std::string text;
  for (const Glyph& glyph : glyphs) text += glyph.text;
  return text;
}

}  // namespace cordon::consent
