// One question on one terminal, answered with keys.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consent/channel.h"
#include "consent/key_decoder.h"
#include "consent/prompt_screen.h"
#include "consent/question.h"
#include "cordon/result.h"
#include "platform/terminal.h"

namespace cordon::consent {

enum class DialogEnd {
  kChosen,   // by the person
  kTimeout,  // nobody did until the deadline
  kStopped,  // the question was withdrawn
  kClosed,   // the terminal is gone, or no longer ours to read
};

struct DialogResult {
  DialogEnd end = DialogEnd::kClosed;
  Choice choice = Choice::kDeny;
};

// So soon after a question has appeared nobody has read it: a key that would agree was
// meant for something else, perhaps for the question whose place it took.
inline constexpr std::chrono::milliseconds kTooSoonToAgree{500};

// Does not own the terminal, which must be in raw mode (platform::RawMode) as long as
// this runs, so that what was typed before is gone.
class KeyDialog {
 public:
  KeyDialog(int terminal, const Question& question,
            std::chrono::milliseconds too_soon = kTooSoonToAgree);

  // Shows the question. Errors: kTimeout, kIoError when it cannot be shown.
  Status Show();
  // Waits for the answer; follows the window's size, and asks every now and then whether
  // the question was withdrawn. A key that agrees counts only if it was typed later than
  // `too_soon` after the question appeared; one that denies counts at once.
  DialogResult Wait(Deadline deadline, const std::function<bool()>& withdrawn);
  // Puts these lines in the prompt's place. What cannot be written is lost.
  void Finish(const std::vector<std::string>& lines);

  std::size_t columns() const { return window_.columns; }

 private:
  Status Draw();
  void Appeared();
  Status FollowWindow();
  platform::Key NextKey(Deadline deadline);
  bool too_narrow() const;
  // What the key would choose, if it counts.
  std::optional<Choice> Choose(KeyMeaning meaning);
  // The choice, once there is one.
  std::optional<Choice> Take(KeyMeaning meaning);

  int terminal_;
  const Question& question_;
  std::chrono::milliseconds too_soon_;
  Deadline agree_from_ = Deadline::max();
  bool may_agree_ = false;
  std::vector<Choice> choices_;
  std::vector<char> keys_;
  std::size_t marked_;
  KeyDecoder decoder_;
  PromptScreen screen_;
  platform::WindowSize window_;  // drawn for
  platform::WindowSize seen_;    // last looked at
};

}  // namespace cordon::consent
