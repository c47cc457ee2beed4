#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <variant>

#include "base/try.h"
#include "consent/approve.h"
#include "consent/approver.h"
#include "platform/terminal.h"

namespace cordon::consent {
namespace {

using std::chrono::milliseconds;

constexpr int kStandardInput = 0;
constexpr milliseconds kLook{50};
constexpr milliseconds kPatienceWithAsker{2000};

// What the two threads know: one prints what is told, the other reads answers.
class Tally {
 public:
  explicit Tally(const std::function<void(std::string_view)>& print) : print_(print) {}

  void Told(const ToPerson& message) {
    const std::lock_guard lock(mutex_);
    print_(std::visit([](const auto& told) { return LineOf(told); }, message));
    if (const auto* settled = std::get_if<Settled>(&message)) {
      answered_.erase(settled->id);
      one_is_over_ = true;
    } else if (const auto* ignored = std::get_if<Ignored>(&message)) {
      answered_.erase(ignored->id);
    }
    changed_.notify_all();
  }

  void Answered(const std::string& id) {
    const std::lock_guard lock(mutex_);
    answered_.insert(id);
  }

  bool one_is_over() {
    const std::lock_guard lock(mutex_);
    return one_is_over_;
  }

  void WaitForTheRest() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatienceWithAsker, [this] { return answered_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::string_view)>& print_;
  std::set<std::string> answered_;  // and nothing heard of it since
  bool one_is_over_ = false;
};

// Collects bytes to lines; what is longer than an answer can be is passed over.
class LineReader {
 public:
  std::optional<std::string> Feed(char byte) {
    if (byte != '\n') {
      if (line_.size() <= kMaxAnswerLine) line_ += byte;
      return std::nullopt;
    }
    return std::exchange(line_, "");
  }

 private:
  std::string line_;
};

}  // namespace

Status ApproveByLines(const std::string& directory, ApproveUntil until,
                      const std::function<void(std::string_view line)>& print) {
  Tally tally(print);
  TRY_ASSIGN(const std::unique_ptr<Approver> approver,
             Approver::Attach(directory, [&](const ToPerson& message) { tally.Told(message); }));
  LineReader reader;
  while (until == ApproveUntil::kEnded || !tally.one_is_over()) {
    const platform::Key key = platform::ReadKey(kStandardInput, kLook);
    if (key.state == platform::KeyState::kClosed) break;
    if (key.state == platform::KeyState::kNone) continue;
    const std::optional<std::string> line = reader.Feed(key.byte);
    if (!line || line->empty()) continue;
    const Result<GivenAnswer> answer = ParseAnswer(*line);
    if (!answer) {
      tally.Told(Ignored{"", answer.error().detail});
    } else {
      tally.Answered(answer->id);
      approver->Answer(*answer);
    }
  }
  tally.WaitForTheRest();
  return {};
}

}  // namespace cordon::consent
