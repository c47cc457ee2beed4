#include "guard/inside_command.h"

#include <utility>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/pipe.h"

namespace cordon::guard {
namespace {

using provision::Exec;
using provision::ExecEnd;

class InsideCommand final : public RunningCommand {
 public:
  InsideCommand(std::unique_ptr<Exec> exec, platform::UniqueFd out, platform::UniqueFd err)
      : exec_(std::move(exec)), out_(std::move(out)), err_(std::move(err)) {}

  sandbox::LayerSet layers() const override { return {}; }  // the sandbox's, whatever they are
  platform::UniqueFd TakeTerminal() override { return {}; }
  Result<CommandOutcome> Wait() override;
  void Stop() override { exec_->Kill(); }
  void Kill() override { exec_->Kill(); }
  void Leave() override {}  // nothing of it is here

 private:
  Status Relay();

  std::unique_ptr<Exec> exec_;
  platform::UniqueFd out_, err_;
};

Status InsideCommand::Relay() {
  while (true) {
    TRY_ASSIGN(const std::optional<Exec::Piece> piece, exec_->Read());
    if (!piece) return {};
    platform::UniqueFd& to = piece->stream == Exec::Stream::kOut ? out_ : err_;
    // Who does not read any more is not told the rest.
    if (to.valid() && !platform::WriteAll(to.get(), piece->bytes)) to.reset();
  }
}

Result<CommandOutcome> InsideCommand::Wait() {
  const Status relayed = Relay();
  out_.reset();
  err_.reset();
  TRY(relayed);
  TRY_ASSIGN(const ExecEnd end, exec_->Wait());
  CommandOutcome outcome;
  outcome.ended.status = end.status;
  outcome.ended.signal = end.signal;
  if (end.why == ExecEnd::Why::kTimeout) outcome.limits.push_back(sandbox::LimitKind::kWall);
  for (const std::string& line : end.refusals) {
    outcome.refused.push_back({Operation::kRead, line, "sandbox", "", 0});
  }
  return outcome;
}

Result<platform::UniqueFd> Own(int stream) {
  if (stream < 0) return platform::UniqueFd();
  return platform::Duplicate(stream);
}

}  // namespace

ElsewhereStarter RunInside(ExecStarter start, std::string workspace) {
  return [start = std::move(start), workspace = std::move(workspace)](
             const CommandTerms& terms,
             std::string_view directory) -> Result<std::unique_ptr<RunningCommand>> {
    TRY_ASSIGN(platform::UniqueFd out, Own(terms.streams.out));
    TRY_ASSIGN(platform::UniqueFd err, Own(terms.streams.err));
    provision::ExecTerms inside;
    inside.arguments = terms.arguments;
    inside.environment = terms.environment;
    inside.timeout = terms.wall;
    inside.directory = workspace;
    if (!directory.empty()) inside.directory.append("/").append(directory);
    TRY_ASSIGN(std::unique_ptr<Exec> exec, start(inside));
    exec->CloseInput();
    return std::unique_ptr<RunningCommand>(
        std::make_unique<InsideCommand>(std::move(exec), std::move(out), std::move(err)));
  };
}

}  // namespace cordon::guard
