#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "consent/approve.h"
#include "consent/approver.h"
#include "consent/key_dialog.h"
#include "consent/prompt.h"
#include "platform/terminal.h"

namespace cordon::consent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{50};
constexpr milliseconds kPatienceWithAsker{2000};
constexpr milliseconds kPatienceWithTerminal{1000};
constexpr char kControlC = 0x03;
constexpr char kControlD = 0x04;

// One question as this side knows it.
struct Shown {
  explicit Shown(Question asked) : question(std::move(asked)) {}
  const Question question;
  std::optional<Settled> settled;  // guarded by the board
};
using ShownPtr = std::shared_ptr<Shown>;

// Questions that wait for the person, first come first shown.
class Board {
 public:
  void Told(const ToPerson& message) {
    const std::lock_guard lock(mutex_);
    if (const auto* question = std::get_if<Question>(&message)) {
      shown_.push_back(std::make_shared<Shown>(*question));
    } else if (const auto* settled = std::get_if<Settled>(&message)) {
      Settle(*settled);
    }
    changed_.notify_all();
  }

  // The first one. It is taken off when it is settled, not before.
  ShownPtr First() {
    const std::lock_guard lock(mutex_);
    return shown_.empty() ? nullptr : shown_.front();
  }

  bool IsOver(const ShownPtr& shown) {
    const std::lock_guard lock(mutex_);
    return shown->settled.has_value();
  }

  // How it ended; nullopt if nobody says within `wait`.
  std::optional<Settled> End(const ShownPtr& shown, milliseconds wait) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, wait, [&] { return shown->settled.has_value(); });
    shown_.remove(shown);
    return shown->settled;
  }

 private:
  void Settle(const Settled& settled) {
    for (const ShownPtr& shown : shown_) {
      if (shown->question.id != settled.id) continue;
      shown->settled = settled;
      const ShownPtr kept = shown;
      shown_.remove(kept);
      return;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<ShownPtr> shown_;
};

std::string_view WordsOf(const std::optional<Settled>& settled) {
  if (!settled) return "no word from who asked";
  switch (settled->by) {
    case SettledBy::kHere: return "answered here";
    case SettledBy::kElsewhere:
      return settled->choice == Choice::kDeny ? "answered elsewhere: denied"
                                              : "answered elsewhere: allowed";
    case SettledBy::kTimeout: return "timed out: denied";
    case SettledBy::kWithdrawn: return "withdrawn: denied";
    case SettledBy::kGone: return "who asked is gone";
  }
  return "";
}

class Session {
 public:
  explicit Session(int terminal) : terminal_(terminal) {}

  Status Run(const std::string& directory, ApproveUntil until) {
    TRY_ASSIGN(const std::unique_ptr<Approver> approver,
               Approver::Attach(directory, [this](const ToPerson& told) { board_.Told(told); }));
    std::optional<platform::RawMode> raw;
    while (true) {
      if (!platform::IsForeground(terminal_)) {  // another job has it, or it is gone
        raw.reset();
        if (!platform::OpenControllingTerminal()) return {};
        std::this_thread::sleep_for(kLook);
      } else if (!raw) {
        TRY_ASSIGN(platform::RawMode entered, platform::RawMode::Enter(terminal_));
        raw.emplace(std::move(entered));
        Say("Waiting for questions in " + Printable(directory, std::string::npos) +
            ". Ctrl-C ends this.");
      } else if (const ShownPtr first = board_.First()) {
        if (!Show(*approver, first) || until == ApproveUntil::kFirstOne) return {};
      } else if (IsEnd(platform::ReadKey(terminal_, kLook))) {
        return {};
      }
    }
  }

 private:
  // Keys are never signals here, so that Ctrl-C ends this in order.
  static bool IsEnd(const platform::Key& key) {
    return key.state == platform::KeyState::kClosed ||
           (key.state == platform::KeyState::kByte &&
            (key.byte == kControlC || key.byte == kControlD));
  }

  // False when there is nobody to show it to any more.
  bool Show(Approver& approver, const ShownPtr& shown) {
    const Question& question = shown->question;
    if (!platform::DiscardTyped(terminal_)) return false;
    KeyDialog dialog(terminal_, question);
    if (!dialog.Show()) return false;
    const DialogResult result = dialog.Wait(Deadline::max(), [&] { return board_.IsOver(shown); });
    if (result.end == DialogEnd::kClosed) return false;
    if (result.end == DialogEnd::kChosen) approver.Answer({question.id, result.choice});
    const std::optional<Settled> end = board_.End(shown, kPatienceWithAsker);
    dialog.Finish(end && end->by == SettledBy::kHere
                      ? ChosenLines(question, end->choice, dialog.columns())
                      : EndedLines(question, WordsOf(end), dialog.columns()));
    return true;
  }

  void Say(const std::string& line) const {
    static_cast<void>(platform::WriteTerminal(terminal_, line + "\r\n", kPatienceWithTerminal));
  }

  int terminal_;
  Board board_;
};

}  // namespace

Status ApproveOnTerminal(const std::string& directory, ApproveUntil until) {
  TRY_ASSIGN(const platform::UniqueFd terminal, platform::OpenControllingTerminal());
  return Session(terminal.get()).Run(directory, until);
}

}  // namespace cordon::consent
