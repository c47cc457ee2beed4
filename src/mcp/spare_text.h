// A text whose memory serves the thread's next one.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace cordon::mcp {

// Empty to begin with. What is moved out of it takes its memory along.
// Thread safety: one thread.
class SpareText {
 public:
  SpareText() : text_(std::exchange(Spare(), std::string())) { text_.clear(); }
  ~SpareText() {
    if (text_.capacity() <= kMostKept) Spare() = std::move(text_);
  }
  SpareText(const SpareText&) = delete;
  SpareText& operator=(const SpareText&) = delete;

  std::string& get() { return text_; }

 private:
  static constexpr std::size_t kMostKept = std::size_t{64} << 10;

  static std::string& Spare() {
    thread_local std::string spare;
    return spare;
  }

  std::string text_;
};

}  // namespace cordon::mcp
