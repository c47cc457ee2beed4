#include "consent/terminal_channel.h"

#include <string>
#include <utility>

#include "consent/key_dialog.h"
#include "consent/prompt.h"
#include "platform/terminal.h"

namespace cordon::consent {
namespace {

Error Unavailable(std::string detail) {
  Error error;
  error.code = ErrorCode::kConsentUnavailable;
  error.op = "tty";
  error.detail = std::move(detail);
  return error;
}

Error Denied(std::string rule, std::string detail) {
  Error error;
  error.code = ErrorCode::kConsentDenied;
  error.op = "tty";
  error.rule = std::move(rule);
  error.detail = std::move(detail);
  return error;
}

Error TimedOut() {
  Error error;
  error.code = ErrorCode::kTimeout;
  error.op = "tty";
  error.detail = "nobody answered in time";
  return error;
}

class TerminalChannel final : public Channel {
 public:
  std::string_view name() const override { return "tty"; }

  bool available() const override {
    const Result<platform::UniqueFd> terminal = platform::OpenControllingTerminal();
    return terminal && platform::IsForeground(terminal->get());
  }

  Result<Choice> Ask(const Question& question, Deadline deadline,
                     const std::stop_token& stop) override {
    const Result<platform::UniqueFd> terminal = platform::OpenControllingTerminal();
    if (!terminal) return Unavailable("there is no terminal");
    if (!platform::IsForeground(terminal->get())) {
      return Unavailable("this process is not in the foreground of its terminal");
    }
    const Result<platform::RawMode> raw = platform::RawMode::Enter(terminal->get());
    if (!raw) return Unavailable("the terminal does not give single keys");
    KeyDialog dialog(terminal->get(), question);
    if (!dialog.Show()) return Unavailable("the terminal shows nothing");
    const DialogResult result = dialog.Wait(deadline, [&] { return stop.stop_requested(); });
    switch (result.end) {
      case DialogEnd::kChosen:
        dialog.Finish(ChosenLines(question, result.choice, dialog.columns()));
        return result.choice;
      case DialogEnd::kTimeout:
        dialog.Finish(EndedLines(question, "timed out: denied", dialog.columns()));
        return TimedOut();
      case DialogEnd::kStopped:
        dialog.Finish(EndedLines(question, "withdrawn: denied", dialog.columns()));
        return Denied("withdrawn", "the question was withdrawn");
      case DialogEnd::kClosed: break;
    }
    return Denied("closed", "the terminal was closed");
  }
};

}  // namespace

std::shared_ptr<Channel> MakeTerminalChannel() { return std::make_shared<TerminalChannel>(); }

}  // namespace cordon::consent
