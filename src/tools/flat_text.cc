#include "tools/flat_text.h"

#include <algorithm>

namespace cordon::tools {
namespace {

std::size_t CommonPrefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(
      std::ranges::mismatch(a.begin(), a.end(), b.begin(), b.end()).in1 - a.begin());
}

std::size_t CommonSuffix(std::string_view a, std::string_view b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() &&
         a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
    ++length;
  }
  return length;
}

std::size_t CountLines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

FlatText::FlatText(std::string_view text) {
  text_.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      text_ += text.substr(at);
      break;
    }
    const bool crlf = end > at && text[end - 1] == '\r';
    text_ += text.substr(at, end - at - (crlf ? 1 : 0));
    text_ += '\n';
    crlf_.push_back(crlf);
    at = end + 1;
  }
}

std::string FlatText::Restore() const {
  std::string restored;
  restored.reserve(text_.size() + crlf_.size());
  std::size_t at = 0;
  for (const bool crlf : crlf_) {
    const std::size_t end = text_.find('\n', at);
    restored.append(text_, at, end - at);
    restored += crlf ? "\r\n" : "\n";
    at = end + 1;
  }
  restored.append(text_, at);
  return restored;
}

std::string FlatText::WithoutReturns(std::string_view text) {
  return text.find('\r') == std::string_view::npos ? std::string(text) : FlatText(text).text_;
}

void FlatText::FollowIfAlone(std::string_view given) {
  const std::size_t end = given.find('\n');
  new_crlf_ = end != std::string_view::npos && end > 0 && given[end - 1] == '\r';
}

void FlatText::Splice(std::span<const Replaced> changes) {
  std::string text;
  std::vector<bool> crlf;
  text.reserve(text_.size());
  crlf.reserve(crlf_.size());
  std::size_t at = 0, line = 0;  // of the old text
  const auto keep = [&](std::string_view piece) {
    text += piece;
    for (std::size_t count = CountLines(piece); count > 0; --count) crlf.push_back(crlf_[line++]);
  };
  const std::string_view old_text = text_;
  for (const Replaced& change : changes) {
    keep(old_text.substr(at, change.begin - at));
    at = change.end;
    std::string_view old_piece = old_text.substr(change.begin, change.end - change.begin);
    std::string_view new_piece = change.text;
    const std::size_t before = CommonPrefix(old_piece, new_piece);
    keep(old_piece.substr(0, before));
    old_piece.remove_prefix(before);
    new_piece.remove_prefix(before);
    const std::size_t after = CommonSuffix(old_piece, new_piece);
    const std::string_view rest = old_piece.substr(old_piece.size() - after);
    old_piece.remove_suffix(after);
    new_piece.remove_suffix(after);
    const std::size_t old_lines = CountLines(old_piece), new_lines = CountLines(new_piece);
    for (std::size_t number = 0; number < new_lines; ++number) {
      std::size_t model = line + number;
      if (number >= old_lines) model = old_lines > 0 ? line + old_lines - 1 : line;
      crlf.push_back(crlf_.empty() ? new_crlf_ : crlf_[std::min(model, crlf_.size() - 1)]);
    }
    text += new_piece;
    line += old_lines;
    keep(rest);
  }
  keep(old_text.substr(at));
  text_ = std::move(text);
  crlf_ = std::move(crlf);
}

std::vector<std::size_t> LinesAt(std::string_view text, std::span<const std::size_t> positions) {
  std::vector<std::size_t> lines;
  std::size_t line = 1, at = 0;
  for (const std::size_t position : positions) {
    line += CountLines(text.substr(at, position - at));
    at = position;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace cordon::tools
