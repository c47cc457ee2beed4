#include "consent/key_dialog.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/try.h"
#include "consent/prompt.h"

namespace cordon::consent {
namespace {

using std::chrono::milliseconds;

// How often the window's size and a withdrawal are looked at.
constexpr milliseconds kLook{50};
// How long an Escape waits for the rest of a sequence.
constexpr milliseconds kRestOfSequence{100};
// A terminal that takes nothing for so long shows nothing either.
constexpr milliseconds kPatienceWithTerminal{1000};

milliseconds Until(Deadline deadline, milliseconds most) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::clamp(left, milliseconds(0), most);
}

}  // namespace

KeyDialog::KeyDialog(int terminal, const Question& question, milliseconds too_soon)
    : terminal_(terminal),
      question_(question),
      too_soon_(too_soon),
      window_(platform::WindowSizeOf(terminal)) {
  for (const PromptOption& option : OptionsOf(question)) {
    choices_.push_back(option.choice);
    keys_.push_back(option.key);
  }
  marked_ = choices_.size() - 1;  // Deny
  seen_ = window_;
}

Status KeyDialog::Show() {
  TRY(Draw());
  Appeared();
  return {};
}

void KeyDialog::Appeared() {
  agree_from_ = std::chrono::steady_clock::now() + too_soon_;
  may_agree_ = false;
}

// Agreeing begins when the time is over and nothing that was typed before is left to
// read: however long this process was kept from reading, a key typed too soon stays so.
platform::Key KeyDialog::NextKey(Deadline deadline) {
  const bool soon_is_over = std::chrono::steady_clock::now() >= agree_from_;
  milliseconds wait = decoder_.waiting() ? kRestOfSequence : kLook;
  // Half a sequence gets its whole time: cut short, an arrow would be an Escape.
  if (!may_agree_ && !decoder_.waiting()) wait = Until(agree_from_, wait);
  const platform::Key key = platform::ReadKey(terminal_, Until(deadline, wait));
  if (soon_is_over && key.state == platform::KeyState::kNone) may_agree_ = true;
  return key;
}

DialogResult KeyDialog::Wait(Deadline deadline, const std::function<bool()>& withdrawn) {
  while (true) {
    if (withdrawn()) return {DialogEnd::kStopped, Choice::kDeny};
    if (std::chrono::steady_clock::now() >= deadline) return {DialogEnd::kTimeout, Choice::kDeny};
    const platform::Key key = NextKey(deadline);
    if (key.state == platform::KeyState::kClosed) return {DialogEnd::kClosed, Choice::kDeny};
    const KeyMeaning meaning =
        key.state == platform::KeyState::kByte ? decoder_.Feed(key.byte) : decoder_.Expire();
    const std::size_t before = marked_;
    if (const std::optional<Choice> choice = Take(meaning)) return {DialogEnd::kChosen, *choice};
    const Status drawn = marked_ != before ? Draw() : FollowWindow();
    if (!drawn) return {DialogEnd::kClosed, Choice::kDeny};
  }
}

void KeyDialog::Finish(const std::vector<std::string>& lines) {
  const std::string bytes = screen_.Finish(lines, platform::WindowSizeOf(terminal_));
  static_cast<void>(platform::WriteTerminal(terminal_, bytes, kPatienceWithTerminal));
}

Status KeyDialog::Draw() {
  std::vector<std::string> lines = too_narrow() ? std::vector<std::string>{"Too narrow."}
                                                : PromptLines(question_, marked_, window_.columns);
  return platform::WriteTerminal(terminal_, screen_.Draw(std::move(lines), window_),
                                 kPatienceWithTerminal);
}

// Drawn anew only once the size has stayed the same from one look to the next: a window
// is dragged through many sizes.
Status KeyDialog::FollowWindow() {
  const platform::WindowSize before = std::exchange(seen_, platform::WindowSizeOf(terminal_));
  if (seen_ == window_ || seen_ != before) return {};
  const bool was_hidden = too_narrow();
  window_ = seen_;
  TRY(Draw());
  if (was_hidden) Appeared();
  return {};
}

bool KeyDialog::too_narrow() const { return window_.columns < kMinColumns; }

std::optional<Choice> KeyDialog::Take(KeyMeaning meaning) {
  const std::optional<Choice> choice = Choose(meaning);
  const bool agrees = choice && *choice != Choice::kDeny;
  return agrees && !may_agree_ ? std::nullopt : choice;
}

std::optional<Choice> KeyDialog::Choose(KeyMeaning meaning) {
  const auto by_key = [this](char key) -> std::optional<Choice> {
    const auto found = std::find(keys_.begin(), keys_.end(), key);
    if (found == keys_.end()) return std::nullopt;
    return choices_[static_cast<std::size_t>(found - keys_.begin())];
  };
  if (meaning == KeyMeaning::kDeny || meaning == KeyMeaning::kThird) return Choice::kDeny;
  if (too_narrow()) return std::nullopt;  // nobody agrees to what they cannot see
  switch (meaning) {
    case KeyMeaning::kFirst: return by_key('1');
    case KeyMeaning::kSecond: return by_key('2');
    case KeyMeaning::kTake: return choices_[marked_];
    case KeyMeaning::kUp: marked_ -= marked_ > 0 ? 1 : 0; return std::nullopt;
    case KeyMeaning::kDown: marked_ += marked_ + 1 < choices_.size() ? 1 : 0; return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace cordon::consent
