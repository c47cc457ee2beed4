// Gathers what is found out, each thing once and never without end.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "shell/explain.h"

namespace cordon::shell {

// Each list holds at most this many; that there were more is told, and raises the risk.
inline constexpr std::size_t kMaxFindings = 2000;
inline constexpr std::size_t kMaxMentions = 8000;

class Findings {
 public:
  void Add(Program program);
  void Add(FileUse use);
  void Add(NetworkUse use);
  void Mention(FileUse use);
  // What is not known; `risk` is what that alone makes of it.
  void DontKnow(std::string_view text, std::string_view why, std::string_view code, Risk risk);
  void Because(Risk risk, std::string_view code, std::string text);

  const Explanation& so_far() const { return found_; }
  Explanation Take() { return std::move(found_); }

 private:
  bool IsNew(std::string key);
  void TellFull();

  Explanation found_;
  std::set<std::string, std::less<>> seen_;
  std::set<std::string, std::less<>> mentioned_;
  bool full_ = false;
};

}  // namespace cordon::shell
