#include "inside/run.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "inside/process_tree.h"
#include "platform/child_process.h"
#include "platform/inside_sandbox.h"
#include "platform/pipe.h"
#include "platform/wait_events.h"

namespace cordon::inside {
namespace {

using Clock = std::chrono::steady_clock;
using platform::Readiness;
using std::chrono::milliseconds;

constexpr int kControl = 0, kReport = 1;
constexpr std::size_t kPiece = std::size_t{32} << 10;
constexpr std::size_t kMostUnsent = std::size_t{256} << 10;
// How long the streams of a program that has ended are read on while somebody else holds them.
constexpr milliseconds kLastWords{200};
constexpr std::size_t kMostAfterExit = std::size_t{1} << 20;
constexpr milliseconds kBetweenKills{10};

class Run {
 public:
  explicit Run(const RunTerms& terms) : terms_(terms) {}

  Status Begin();
  void Attend();
  void Flush();

 private:
  Status OpenStreams(platform::ChildTerms& child);
  void Step();
  void TakeControl();
  void Obey(const Frame& frame);
  void FeedProgram();
  void TakeOutput(platform::UniqueFd& from, Frame::Kind kind);
  void SendReport();
  void Reap();
  void Abandoned();
  std::optional<std::int64_t> Patience() const;
  bool Finished() const;

  const RunTerms& terms_;
  ProcessTree tree_;
  std::optional<platform::SignalSource> signals_;
  platform::UniqueFd theirs_[3];          // the program's ends, until it has them
  platform::UniqueFd input_, out_, err_;  // ours; of a terminal, `out_` alone
  FrameReader control_;
  bool control_open_ = true, report_open_ = true, input_ends_ = false;
  std::string to_program_, unsent_;
  int process_ = 0;
  std::optional<platform::Exit> exit_;
  Clock::time_point exited_at_, started_at_;
  std::size_t after_exit_ = 0;  // bytes
  enum class Ending { kNone, kKill } ending_ = Ending::kNone;
  bool timed_out_ = false;
};

Status Run::OpenStreams(platform::ChildTerms& child) {
  if (terms_.terminal) {
    TRY_ASSIGN(platform::PseudoTerminal terminal, platform::OpenInnerTerminal());
    TRY(platform::SetTerminalSize(terminal.master.get(), terms_.terminal->rows,
                                  terms_.terminal->columns));
    out_ = std::move(terminal.master);
    theirs_[0] = std::move(terminal.slave);
    child.terminal = theirs_[0].get();
    platform::NeverBlock(out_.get());
    return {};
  }
  TRY_ASSIGN(platform::Pipe in, platform::MakePipe());
  TRY_ASSIGN(platform::Pipe out, platform::MakePipe());
  TRY_ASSIGN(platform::Pipe err, platform::MakePipe());
  input_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  theirs_[0] = std::move(in.read);
  theirs_[1] = std::move(out.write);
  theirs_[2] = std::move(err.write);
  child.input = theirs_[0].get();
  child.output = theirs_[1].get();
  child.errors = theirs_[2].get();
  for (const int ours : {input_.get(), out_.get(), err_.get()}) platform::NeverBlock(ours);
  return {};
}

Status Run::Begin() {
  // What runs beside it has the same user, and is not to speak in its name.
  TRY(platform::SetTraceable(platform::Traceable::kNo));
  TRY_ASSIGN(signals_,
             platform::SignalSource::Open(platform::SignalSource::Of::kChildrenAndTermination));
  platform::ChildTerms child;
  child.arguments = terms_.arguments;
  child.directory = terms_.directory;
  child.mark = tree_.mark();
  TRY(OpenStreams(child));
  started_at_ = Clock::now();
  TRY_ASSIGN(process_, platform::StartChild(child));
  for (platform::UniqueFd& one : theirs_) one.reset();
  platform::NeverBlock(kControl);
  platform::NeverBlock(kReport);
  unsent_ = Encode(Frame::Kind::kBegun);
  return {};
}

bool Run::Finished() const {
  return exit_ && !out_.valid() && !err_.valid() && ending_ == Ending::kNone;
}

void Run::Attend() {
  while (!Finished()) Step();
  RunEnd end;
  end.status = exit_->status;
  end.signal = exit_->signal;
  if (timed_out_) end.why = RunEnd::Why::kTimeout;
  unsent_ += Encode(end);
}

void Run::Flush() {
  while (report_open_ && !unsent_.empty()) {
    std::vector<Readiness> room = {{kReport, Readiness::For::kWrite}};
    platform::AwaitReady(room, std::nullopt);
    SendReport();
  }
}

std::optional<std::int64_t> Run::Patience() const {
  if (ending_ != Ending::kNone) return kBetweenKills.count();
  std::optional<Clock::time_point> until;
  if (exit_) until = exited_at_ + kLastWords;
  if (!exit_ && terms_.timeout.count() > 0) until = started_at_ + terms_.timeout;
  if (!until) return std::nullopt;
  const auto left = std::chrono::ceil<milliseconds>(*until - Clock::now()).count();
  return std::max<std::int64_t>(left, 0);
}

void Run::Step() {
  const bool room = unsent_.size() < kMostUnsent || !report_open_;
  std::vector<Readiness> these = {
      {control_open_ ? kControl : -1, Readiness::For::kRead},
      {report_open_ && !unsent_.empty() ? kReport : -1, Readiness::For::kWrite},
      {room ? out_.get() : -1, Readiness::For::kRead},
      {room ? err_.get() : -1, Readiness::For::kRead},
      {to_program_.empty() ? -1 : (terms_.terminal ? out_ : input_).get(), Readiness::For::kWrite},
      {signals_->descriptor(), Readiness::For::kRead},
  };
  platform::AwaitReady(these, Patience());
  if (these[0].ready) TakeControl();
  if (these[1].ready) SendReport();
  if (these[2].ready) TakeOutput(out_, Frame::Kind::kOut);
  if (these[3].ready) TakeOutput(err_, Frame::Kind::kErr);
  if (these[4].ready) FeedProgram();
  if (signals_->Take().terminate) ending_ = Ending::kKill;
  Reap();
  const auto now = Clock::now();
  if (!exit_ && terms_.timeout.count() > 0 && now >= started_at_ + terms_.timeout) {
    ending_ = Ending::kKill;
    timed_out_ = true;
  }
  const bool silent = !these[2].ready && !these[3].ready;
  if (exit_ && ending_ == Ending::kNone && now >= exited_at_ + kLastWords && room &&
      (silent || after_exit_ > kMostAfterExit)) {
    out_.reset();
    err_.reset();
  }
}

void Run::TakeControl() {
  const Result<std::optional<std::string>> bytes = platform::ReadNow(kControl, kPiece);
  if (bytes && !*bytes) return;
  if (!bytes || (*bytes)->empty()) return Abandoned();
  control_.Take(**bytes);
  while (true) {
    const Result<std::optional<Frame>> frame = control_.Next();
    if (!frame) return Abandoned();
    if (!*frame) return;
    Obey(**frame);
  }
}

// Nobody is there any more.
void Run::Abandoned() {
  control_open_ = false;
  if (terms_.bond == RunTerms::Bond::kAttached) ending_ = Ending::kKill;
  input_ends_ = true;
  FeedProgram();
}

void Run::Obey(const Frame& frame) {
  switch (frame.kind) {
    case Frame::Kind::kInput:
      // The same systems that keep orphans from us do not know these keys.
      if (terms_.terminal && !tree_.mark().empty() && out_.valid()) {
        platform::SendKeySignals(out_.get(), frame.bytes, process_);
      }
      to_program_ += frame.bytes;
      return FeedProgram();
    case Frame::Kind::kInputEnd: input_ends_ = true; return FeedProgram();
    case Frame::Kind::kKill: ending_ = Ending::kKill; return;
    case Frame::Kind::kSize:
      if (const auto size = RunSizeIn(frame.bytes); size && terms_.terminal && out_.valid()) {
        static_cast<void>(platform::SetTerminalSize(out_.get(), size->rows, size->columns));
      }
      return;
    default: return Abandoned();
  }
}

void Run::FeedProgram() {
  const int into = (terms_.terminal ? out_ : input_).get();
  if (!to_program_.empty()) {
    const Result<std::size_t> taken =
        into < 0 ? Result<std::size_t>(to_program_.size())
                 : platform::WriteNow(into, to_program_.data(), to_program_.size());
    // What a program does not want any more is granted all the same.
    const std::size_t count = taken ? *taken : to_program_.size();
    if (!taken && !terms_.terminal) input_.reset();
    to_program_.erase(0, count);
    if (count > 0) {
      unsent_ += EncodeNumber(Frame::Kind::kGrant, static_cast<std::uint32_t>(count));
    }
  }
  if (!input_ends_ || !to_program_.empty()) return;
  if (terms_.terminal) {
    input_ends_ = false;
    to_program_ = "\x04";
    return;
  }
  input_.reset();
}

void Run::TakeOutput(platform::UniqueFd& from, Frame::Kind kind) {
  const Result<std::optional<std::string>> bytes = platform::ReadNow(from.get(), kPiece);
  if (bytes && !*bytes) return;
  // A terminal that nobody holds any more gives an error instead of an end.
  if (!bytes || (*bytes)->empty()) return from.reset();
  if (report_open_) unsent_ += Encode(kind, **bytes);
  if (terms_.bond == RunTerms::Bond::kDetached) platform::AppendToLog(kLogInside, **bytes);
  if (exit_) after_exit_ += (*bytes)->size();
}

void Run::SendReport() {
  const Result<std::size_t> sent = platform::WriteNow(kReport, unsent_.data(), unsent_.size());
  if (!sent) {
    report_open_ = false;
    unsent_.clear();
    if (terms_.bond == RunTerms::Bond::kAttached) ending_ = Ending::kKill;
    return;
  }
  unsent_.erase(0, *sent);
}

void Run::Reap() {
  const std::size_t left = ending_ == Ending::kNone ? 0 : tree_.Kill();
  while (true) {
    const Result<std::optional<platform::Exit>> ended = platform::ReapNext();
    if (!ended) {  // nothing of it is left
      if (exit_ && left == 0) ending_ = Ending::kNone;
      return;
    }
    if (!*ended) return;
    if ((*ended)->process == process_) {
      exit_ = **ended;
      exited_at_ = Clock::now();
    }
  }
}

}  // namespace

int RunProgram(const RunTerms& terms) {
  Run run(terms);
  if (const Status begun = run.Begin(); !begun) {
    const std::string told =
        EncodeNumber(Frame::Kind::kNotBegun, static_cast<std::uint32_t>(begun.error().os_errno));
    return platform::WriteNow(kReport, told.data(), told.size()) ? 127 : 126;
  }
  run.Attend();
  run.Flush();
  return 0;
}

}  // namespace cordon::inside
