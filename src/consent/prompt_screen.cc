#include "consent/prompt_screen.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cordon::consent {
namespace {

constexpr const char* kNewLine = "\r\n";
constexpr const char* kClearToEnd = "\x1b[J";

std::string JoinFrom(const std::vector<std::string>& lines, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (i > first) text += kNewLine;
    text += lines[i];
  }
  return text;
}

std::string UpBy(std::size_t lines) {
  std::string text = lines > 0 ? "\x1b[" + std::to_string(lines) + "A" : "";
  return text + "\r" + kClearToEnd;
}

}  // namespace

std::string PromptScreen::Draw(std::vector<std::string> lines, platform::WindowSize window) {
  std::string bytes;
  const bool comparable = !drawn_.empty() && drawn_.size() == lines.size();
  const auto first =
      comparable
          ? static_cast<std::size_t>(std::distance(
                drawn_.begin(), std::mismatch(drawn_.begin(), drawn_.end(), lines.begin()).first))
          : 0;
  if (comparable && first == lines.size() && CanReach(first, window)) {
    bytes = "";  // as it was
  } else if (comparable && CanReach(first, window)) {
    bytes = UpBy(drawn_.size() - 1 - first) + JoinFrom(lines, first);
  } else {
    bytes = kNewLine + JoinFrom(lines, 0);
  }
  drawn_ = std::move(lines);
  window_ = window;
  return bytes;
}

std::string PromptScreen::Finish(const std::vector<std::string>& lines,
                                 platform::WindowSize window) {
  std::string bytes = !drawn_.empty() && CanReach(0, window) ? UpBy(drawn_.size() - 1) : kNewLine;
  drawn_.clear();
  return bytes + JoinFrom(lines, 0) + kNewLine;
}

bool PromptScreen::CanReach(std::size_t line, platform::WindowSize window) const {
  return window == window_ && drawn_.size() - std::min(line, drawn_.size()) <= window.rows;
}

}  // namespace cordon::consent
