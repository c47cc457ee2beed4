#include "provision/docker_exec.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/try.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;
using inside::Frame;
using std::chrono::milliseconds;

// The program that watches the time inside is in the hands of what runs there.
constexpr milliseconds kLateAfter{5'000};

Error Broken(std::string_view why) {
  Error error;
  error.op = "exec";
  error.detail = why;
  return error;
}

}  // namespace

DockerExec::DockerExec(net::HttpHijack streams, const ExecTerms& terms)
    : stream_(std::move(streams)), terms_(terms) {
  if (terms.timeout.count() > 0) deadline_ = Clock::now() + terms.timeout + kLateAfter;
}

DockerExec::~DockerExec() {
  // Its input ends with the connection, and with its input the program; if it is attached.
  stream_.HangUp();
}

Result<std::shared_ptr<DockerExec>> DockerExec::Begin(net::HttpHijack streams,
                                                      const ExecTerms& terms) {
  std::shared_ptr<DockerExec> exec(new DockerExec(std::move(streams), terms));
  Lock lock(exec->mutex_);
  while (!exec->begun_ && !exec->over_) exec->Pump(lock);
  if (exec->not_begun_) {
    Error error = Broken("The program cannot be started: ");
    error.code = ErrorCode::kCommandFailed;
    error.os_errno = *exec->not_begun_;
    error.detail += std::generic_category().message(error.os_errno);
    return error;
  }
  if (exec->failed_) return *exec->failed_;
  if (!exec->begun_) return Broken("The sandbox ended before the program began.");
  lock.unlock();
  return exec;
}

void DockerExec::Fail(Error error) {
  if (!failed_) failed_ = std::move(error);
  over_ = true;
}

void DockerExec::Pump(Lock& lock) {
  if (pumping_) {
    changed_.wait(lock);
    return;
  }
  pumping_ = true;
  lock.unlock();
  std::optional<milliseconds> patience;
  if (deadline_) {
    patience =
        std::max(std::chrono::ceil<milliseconds>(*deadline_ - Clock::now()), milliseconds(0));
  }
  const Result<std::optional<DockerPiece>> piece = stream_.Read(patience);
  lock.lock();
  pumping_ = false;
  Receive(piece);
  changed_.notify_all();
}

void DockerExec::Receive(const Result<std::optional<DockerPiece>>& piece) {
  if (!piece && piece.error().code == ErrorCode::kTimeout) {
    end_ = inside::RunEnd{0, 9, inside::RunEnd::Why::kTimeout};
    over_ = true;
    stream_.HangUp();
    return;
  }
  if (!piece) {
    if (gone_ || end_) over_ = true;
    if (!over_) Fail(piece.error());
    return;
  }
  if (!*piece) {
    over_ = true;
    return;
  }
  // What our own program cannot say otherwise, or the runtime in its place.
  if ((*piece)->stream == DockerPiece::Stream::kErr) return;
  frames_.Take((*piece)->bytes);
  while (true) {
    const Result<std::optional<Frame>> frame = frames_.Next();
    if (!frame) return Fail(frame.error());
    if (!*frame) return;
    Understand(**frame);
  }
}

void DockerExec::Understand(const Frame& frame) {
  switch (frame.kind) {
    case Frame::Kind::kBegun: begun_ = true; return;
    case Frame::Kind::kNotBegun:
      not_begun_ = static_cast<int>(inside::NumberIn(frame.bytes).value_or(0));
      over_ = true;
      return;
    case Frame::Kind::kGrant: grant_ += inside::NumberIn(frame.bytes).value_or(0); return;
    case Frame::Kind::kOut: pieces_.push_back({Stream::kOut, frame.bytes}); return;
    case Frame::Kind::kErr: pieces_.push_back({Stream::kErr, frame.bytes}); return;
    case Frame::Kind::kEnded:
      end_ = inside::RunEndIn(frame.bytes);
      over_ = true;
      return;
    default: return Fail(Broken("The program inside does not speak as it should."));
  }
}

Result<std::optional<Exec::Piece>> DockerExec::Read() {
  Lock lock(mutex_);
  while (pieces_.empty() && !over_) Pump(lock);
  if (!pieces_.empty()) {
    Piece piece = std::move(pieces_.front());
    pieces_.pop_front();
    return std::optional<Piece>(std::move(piece));
  }
  if (failed_ && !gone_) return *failed_;
  return std::optional<Piece>();
}

Status DockerExec::SendFrame(std::string_view frame) {
  const std::lock_guard lock(sending_);
  return stream_.Send(frame);
}

Status DockerExec::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t size = 0;
    {
      Lock lock(mutex_);
      while (grant_ == 0 && !over_) Pump(lock);
      if (over_) return Broken("The program has ended.");
      size = std::min({bytes.size(), static_cast<std::size_t>(grant_), inside::kLongestFrame});
      grant_ -= size;
    }
    TRY(SendFrame(inside::Encode(Frame::Kind::kInput, bytes.substr(0, size))));
    bytes.remove_prefix(size);
  }
  return {};
}

void DockerExec::CloseInput() {
  static_cast<void>(SendFrame(inside::Encode(Frame::Kind::kInputEnd)));
}

Status DockerExec::Resize(const TerminalSize& size) {
  if (!terms_.terminal) {
    Error error = Broken("The program has no terminal.");
    error.code = ErrorCode::kInvalidArguments;
    return error;
  }
  return SendFrame(inside::Encode(inside::RunSize{size.rows, size.columns}));
}

void DockerExec::Kill() {
  {
    const std::lock_guard lock(mutex_);
    killed_ = true;
  }
  static_cast<void>(SendFrame(inside::Encode(Frame::Kind::kKill)));
}

void DockerExec::SandboxGone() {
  {
    const std::lock_guard lock(mutex_);
    gone_ = true;
  }
  stream_.HangUp();
}

Result<ExecEnd> DockerExec::Wait() {
  Lock lock(mutex_);
  while (!over_) Pump(lock);
  ExecEnd end;
  if (end_) {
    end.status = end_->status;
    end.signal = end_->signal;
    if (end_->why == inside::RunEnd::Why::kTimeout) {
      end.why = ExecEnd::Why::kTimeout;
    } else if (killed_ && end_->signal != 0) {
      end.why = ExecEnd::Why::kKilled;
    }
    return end;
  }
  if (failed_ && !gone_) return *failed_;
  // Without a last word: the sandbox died, or somebody in it ended our own program.
  end.signal = 9;
  end.why = killed_ && !gone_ ? ExecEnd::Why::kKilled : ExecEnd::Why::kSandboxGone;
  return end;
}

}  // namespace cordon::provision
