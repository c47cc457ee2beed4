#include "cli/command_terminal.h"

#include <utility>

#include "base/try.h"

namespace cordon::cli {

class CommandTerminal::Pausing final : public consent::Channel {
 public:
  Pausing(CommandTerminal& terminal, std::shared_ptr<consent::Channel> inner)
      : terminal_(terminal), inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  bool available() const override { return inner_->available(); }
  Result<consent::Choice> Ask(const consent::Question& question, consent::Deadline deadline,
                              const std::stop_token& stop) override {
    const std::lock_guard lock(terminal_.mutex_);
    if (terminal_.relay_) terminal_.relay_->Pause();
    Result<consent::Choice> choice = inner_->Ask(question, deadline, stop);
    if (terminal_.relay_) terminal_.relay_->Resume();
    return choice;
  }

 private:
  CommandTerminal& terminal_;
  std::shared_ptr<consent::Channel> inner_;
};

Status CommandTerminal::Start(platform::UniqueFd other_end) {
  const std::lock_guard lock(mutex_);
  TRY_ASSIGN(relay_, platform::TerminalRelay::Start(std::move(other_end)));
  return {};
}

void CommandTerminal::End() {
  const std::lock_guard lock(mutex_);
  relay_.reset();
}

std::shared_ptr<consent::Channel> CommandTerminal::Wrap(std::shared_ptr<consent::Channel> inner) {
  return std::make_shared<Pausing>(*this, std::move(inner));
}

}  // namespace cordon::cli
