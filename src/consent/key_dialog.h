// One question on one terminal, answered with keys.
#pragma once

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

// Does not own the terminal, which must be in raw mode (platform::RawMode) as long as
// this runs, so that what was typed before is gone.
class KeyDialog {
 public:
  KeyDialog(int terminal, const Question& question);

  // Shows the question. Errors: kTimeout, kIoError when it cannot be shown.
  Status Show();
  // Waits for the answer; follows the window's size, and asks every now and then whether
  // the question was withdrawn.
  DialogResult Wait(Deadline deadline, const std::function<bool()>& withdrawn);
  // Puts these lines in the prompt's place. What cannot be written is lost.
  void Finish(const std::vector<std::string>& lines);

  std::size_t columns() const { return window_.columns; }

 private:
  Status Draw();
  Status FollowWindow();
  bool too_narrow() const;
  // The choice, once there is one.
  std::optional<Choice> Take(KeyMeaning meaning);

  int terminal_;
  const Question& question_;
  std::vector<Choice> choices_;
  std::vector<char> keys_;
  std::size_t marked_;
  KeyDecoder decoder_;
  PromptScreen screen_;
  platform::WindowSize window_;  // drawn for
  platform::WindowSize seen_;    // last looked at
};

}  // namespace cordon::consent
