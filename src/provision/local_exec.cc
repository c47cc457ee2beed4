#include "provision/local_exec.h"

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "platform/broken_pipe.h"
#include "platform/file_io.h"
#include "platform/pipe.h"
#include "platform/pseudo_terminal.h"
#include "platform/wait_events.h"

namespace cordon::provision {
namespace {

using platform::UniqueFd;
using sandbox::Execution;

constexpr std::size_t kPiece = 64UL * 1024;
constexpr std::size_t kMostLines = 200;
constexpr int kKillSignal = 9;

std::string LineOf(const sandbox::Refused& refused) {
  std::string line(OperationName(refused.operation));
  line.append(" of ").append(Quoted(refused.path));
  line.append(" by ").append(Printable(refused.program));
  line.append(", rule ").append(Printable(refused.rule));
  return line;
}

// What is told of the program, collected until its end.
class Hearing final : public sandbox::Command::Listener {
 public:
  explicit Hearing(Execution& execution) : execution_(execution) {}

  void OnRefused(const sandbox::Refused& refused) override {
    if (end.refusals.size() < kMostLines) end.refusals.push_back(LineOf(refused));
  }
  void OnRefusedMore(const sandbox::RefusedMore& more) override {
    if (more.untold == 0) return;
    end.refusals.push_back(std::to_string(more.untold) + " more refusals");
  }
  void OnLimit(sandbox::LimitKind kind) override {
    if (kind == sandbox::LimitKind::kWall) timeout = true;
    std::string line("the limit on ");
    line.append(sandbox::LimitName(kind)).append(" was reached");
    end.refusals.push_back(std::move(line));
  }
  void OnAsk(const sandbox::Ask& ask) override {
    constexpr int kNoAccess = 13;
    execution_.Give(ask.id, {}, kNoAccess);  // nobody can be asked here
  }

  ExecEnd end;
  bool timeout = false;

 private:
  Execution& execution_;
};

class LocalExec final : public Exec {
 public:
  LocalExec(std::shared_ptr<sandbox::Resident> resident, std::unique_ptr<Execution> execution,
            platform::Pipe ended)
      : resident_(std::move(resident)),
        execution_(std::move(execution)),
        ended_(std::move(ended)) {}
  ~LocalExec() override {
    execution_->Leave();  // an attached program ends by that
  }
  LocalExec(const LocalExec&) = delete;
  LocalExec& operator=(const LocalExec&) = delete;

  void Begin(UniqueFd in, UniqueFd out, UniqueFd err) {
    in_ = std::move(in);
    out_ = std::move(out);
    err_ = std::move(err);
    terminal_ = execution_->TakeTerminal();
    hearing_ = std::jthread([this] { HearOut(); });
  }

  Result<std::optional<Piece>> Read() override;
  Status Write(std::string_view bytes) override;
  void CloseInput() override;
  Status Resize(const TerminalSize& size) override {
    if (!terminal_.valid()) return NoTerminal();
    return platform::SetTerminalSize(terminal_.get(), size.rows, size.columns);
  }
  void Kill() override {
    killed_ = true;
    execution_->Kill();
  }
  Result<ExecEnd> Wait() override {
    if (hearing_.joinable()) hearing_.join();
    return end_;
  }

 private:
  static Error NoTerminal() {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "resize";
    error.detail = "the program has no terminal";
    return error;
  }

  void HearOut();
  bool SandboxIsGone() const;
  std::optional<Piece> Take(UniqueFd& stream, Stream which);

  const std::shared_ptr<sandbox::Resident> resident_;
  const std::unique_ptr<Execution> execution_;
  platform::Pipe ended_;  // its writing end closes when the program has ended
  UniqueFd out_, err_, terminal_;
  std::mutex input_;
  UniqueFd in_;
  std::atomic<bool> killed_ = false;
  ExecEnd end_;
  std::jthread hearing_;  // last: it uses the rest
};

bool LocalExec::SandboxIsGone() const {
  std::array<platform::Awaited, 1> awaited;
  awaited[0].descriptor = resident_->gone();
  platform::AwaitAny(awaited, std::chrono::milliseconds(0));
  return awaited[0].happened;
}

void LocalExec::HearOut() {
  Hearing hearing(*execution_);
  const auto ended = execution_->Wait(hearing);
  end_ = std::move(hearing.end);
  if (ended) {
    end_.status = ended->status;
    end_.signal = ended->signal;
    if (killed_) end_.why = ExecEnd::Why::kKilled;
  } else {
    end_.signal = kKillSignal;
    end_.why = SandboxIsGone() ? ExecEnd::Why::kSandboxGone : ExecEnd::Why::kKilled;
  }
  if (hearing.timeout) end_.why = ExecEnd::Why::kTimeout;
  ended_.write.reset();
}

// Nothing: the stream has ended.
std::optional<Exec::Piece> LocalExec::Take(UniqueFd& stream, Stream which) {
  Piece piece;
  piece.stream = which;
  piece.bytes.resize(kPiece);
  const auto size = platform::Read(stream.get(), piece.bytes);
  // A terminal whose last program has ended is an error, not an end.
  if (!size || *size == 0) {
    stream.reset();
    return std::nullopt;
  }
  piece.bytes.resize(*size);
  return piece;
}

Result<std::optional<Exec::Piece>> LocalExec::Read() {
  UniqueFd& first = terminal_.valid() ? terminal_ : out_;
  while (first.valid() || err_.valid()) {
    std::array<platform::Awaited, 3> awaited;
    awaited[0].descriptor = first.get();
    awaited[1].descriptor = err_.get();
    awaited[2] = {ended_.read.get(), platform::Awaited::What::kHangUp};
    platform::AwaitAny(awaited, std::nullopt);
    if (awaited[0].happened) {
      if (auto piece = Take(first, Stream::kOut)) return piece;
      continue;
    }
    if (awaited[1].happened) {
      if (auto piece = Take(err_, Stream::kErr)) return piece;
      continue;
    }
    // What it left in the background may hold the streams open for ever.
    if (awaited[2].happened) break;
  }
  return std::optional<Piece>();
}

Status LocalExec::Write(std::string_view bytes) {
  const std::lock_guard lock(input_);
  const int input = terminal_.valid() ? terminal_.get() : in_.get();
  return platform::WriteWithoutSignal(input, bytes);
}

void LocalExec::CloseInput() {
  const std::lock_guard lock(input_);
  constexpr std::string_view kEndOfInput = "\x04";
  if (terminal_.valid()) {
    static_cast<void>(platform::WriteWithoutSignal(terminal_.get(), kEndOfInput));
  }
  in_.reset();
}

sandbox::Execute ExecuteOf(const ExecTerms& terms) {
  sandbox::Execute execute;
  execute.arguments = terms.arguments;
  execute.environment = terms.environment;
  execute.directory = terms.directory;
  execute.wall = terms.timeout;
  if (terms.terminal) {
    execute.terminal = sandbox::TerminalUse::kOwn;
    execute.rows = terms.terminal->rows;
    execute.columns = terms.terminal->columns;
    execute.environment.insert(execute.environment.begin(), "TERM=xterm-256color");
  }
  if (terms.bond == ExecTerms::Bond::kDetached) execute.bond = sandbox::Execute::Bond::kDetached;
  return execute;
}

Error BadTerms() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "exec";
  error.detail = "a program is named, and a directory by its absolute path";
  return error;
}

}  // namespace

Result<std::unique_ptr<Exec>> StartLocalExec(std::shared_ptr<sandbox::Resident> resident,
                                             const ExecTerms& terms, UniqueFd log) {
  if (terms.arguments.empty() || terms.arguments.front().empty() ||
      (!terms.directory.empty() && !terms.directory.starts_with('/'))) {
    return BadTerms();
  }
  platform::Pipe in;
  platform::Pipe out;
  platform::Pipe err;
  const bool logged = terms.bond == ExecTerms::Bond::kDetached;
  if (!terms.terminal) {
    TRY_ASSIGN(in, platform::MakePipe());
    if (!logged) {
      TRY_ASSIGN(out, platform::MakePipe());
      TRY_ASSIGN(err, platform::MakePipe());
    }
  }
  const sandbox::Streams streams{in.read.get(), logged ? log.get() : out.write.get(),
                                 logged ? log.get() : err.write.get()};
  TRY_ASSIGN(platform::Pipe ended, platform::MakePipe());
  TRY_ASSIGN(std::unique_ptr<Execution> execution, resident->Run(ExecuteOf(terms), streams));
  auto exec =
      std::make_unique<LocalExec>(std::move(resident), std::move(execution), std::move(ended));
  exec->Begin(std::move(in.write), std::move(out.read), std::move(err.read));
  return std::unique_ptr<Exec>(std::move(exec));
}

}  // namespace cordon::provision
