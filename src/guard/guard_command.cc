// Guard::Run, and what happens while a command runs.
#include <mutex>
#include <optional>
#include <utility>

#include "base/try.h"
#include "guard/command_questions.h"
#include "guard/command_ruling.h"
#include "guard/command_spec.h"
#include "guard/guard.h"
#include "guard/guard_state.h"
#include "path/posix.h"

namespace cordon::guard {
namespace {

using sandbox::Ask;

// More connections than this are recorded, but not told.
constexpr std::size_t kMostTold = 256;
constexpr int kNoAccess = 13;  // EACCES

Error NoCommands() {
  Error error;
  error.code = ErrorCode::kSandboxRequired;
  error.op = "run";
  error.rule = "sandbox";
  error.detail = "commands cannot be run here: there is nothing to hold them";
  return error;
}

Error OutsideDirectory() {
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.violation = Violation::kAbsolute;
  error.op = "run";
  error.rule = "boundary";
  error.detail = "a command starts inside the workspace";
  return error;
}

Result<std::unique_ptr<sandbox::Command>> StartCommand(const sandbox::Spec& spec,
                                                       const CommandTerms& terms,
                                                       const CommandSupport& support) {
  if (terms.launcher) return sandbox::Command::Start(spec, std::move(*terms.launcher));
  const auto expected = sandbox::FirstLayers(spec.wanted, spec.required, spec.network);
  TRY_ASSIGN(sandbox::Launcher launcher,
             sandbox::Launcher::Start(support.launcher, terms.streams, expected));
  return sandbox::Command::Start(spec, std::move(launcher));
}

}  // namespace

// A command from its start to its end, on record.
class CommandRun final : public RunningCommand, private sandbox::Command::Listener {
 public:
  CommandRun(Guard& guard, Ledger& ledger, Call call, const CommandTerms& terms, std::string asked)
      : guard_(guard),
        ledger_(ledger),
        call_(std::move(call)),
        shown_(terms.shown),
        asked_(std::move(asked)) {
    act_.call = &call_;
    act_.event = audit::Event::kCommandExec;
    act_.operation = Operation::kList;
    act_.asked = asked_;
    act_.target = shown_;
  }
  ~CommandRun() override { Quiet(); }
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  Status Start(const sandbox::Spec& spec, const CommandTerms& terms, const CommandSupport& support,
               Grounds grounds, std::string resolved);

  // The same, where there is no launcher.
  Status StartElsewhere(const CommandTerms& terms, const ElsewhereStarter& start, Grounds grounds,
                        std::string resolved, std::string_view below);

  sandbox::LayerSet layers() const override {
    return elsewhere_ ? elsewhere_->layers() : command_->layers();
  }
  platform::UniqueFd TakeTerminal() override {
    return elsewhere_ ? elsewhere_->TakeTerminal() : command_->TakeTerminal();
  }
  Result<CommandOutcome> Wait() override;
  void Stop() override { elsewhere_ ? elsewhere_->Stop() : command_->Stop(); }
  void Kill() override { elsewhere_ ? elsewhere_->Kill() : command_->Kill(); }
  void Leave() override { elsewhere_ ? elsewhere_->Leave() : command_->Leave(); }

  const Act& act() const { return act_; }
  // What a rule says that does not forbid it.
  void Obey(const shell::CommandVerdict& ruling);

 private:
  void OnRefused(const sandbox::Refused& refused) override;
  void OnRefusedMore(const sandbox::RefusedMore& more) override { outcome_.more = more; }
  void OnLimit(sandbox::LimitKind kind) override { outcome_.limits.push_back(kind); }
  void OnAsk(const Ask& ask) override;
  Status OnConnection(const Connection& connection);
  Status StartEgress(const CommandSupport& support);
  CommandQuestions::Answers AnswersTo();
  void Quiet();
  Result<sandbox::Ended> WaitForEnd();

  Guard& guard_;
  Ledger& ledger_;
  Call call_;
  std::string shown_, asked_, resolved_, rule_;
  Act act_;
  Grounds grounds_;
  Ledger::Clock::time_point since_ = Ledger::Clock::now();
  std::uint64_t begun_ = 0;
  std::unique_ptr<sandbox::Command> command_;  // or
  std::unique_ptr<RunningCommand> elsewhere_;
  std::shared_ptr<void> egress_;

  std::mutex mutex_;  // of the next two
  CommandOutcome outcome_;
  Status unrecorded_;  // the first refusal that could not be recorded
  std::optional<CommandQuestions> questions_;
};

void CommandRun::Obey(const shell::CommandVerdict& ruling) {
  const bool allowed = ruling.action == policy::CommandAction::kAllow;
  rule_ = ruling.rule.name();
  act_.ruled = allowed ? Act::Ruled::kAllowed : Act::Ruled::kAsked;
  act_.command_rule = rule_;
}

Status CommandRun::Start(const sandbox::Spec& spec, const CommandTerms& terms,
                         const CommandSupport& support, Grounds grounds, std::string resolved) {
  resolved_ = std::move(resolved);
  grounds_ = grounds;
  grounds_.resolved = resolved_;
  TRY_ASSIGN(begun_, ledger_.Begin(act_, grounds_));
  auto started = StartCommand(spec, terms, support);
  Status ready;
  if (started) {
    command_ = std::move(*started);
    ready = StartEgress(support);
  } else {
    ready = std::move(started.error());
  }
  if (!ready) {
    TRY(ledger_.End(act_, grounds_, begun_, &ready.error(), since_));
    return ready;
  }
  if (spec.outside == sandbox::Outside::kAsk) questions_.emplace(guard_, call_, AnswersTo());
  return {};
}

Status CommandRun::StartEgress(const CommandSupport& support) {
  if (support.network != sandbox::Network::kProxied) return {};
  if (!support.egress) return NoCommands();
  TRY_ASSIGN(egress_, support.egress(command_->TakeHttpListener(), command_->TakeSocksListener(),
                                     [this](const Connection& connection) {
                                       return OnConnection(connection);
                                     }));
  return {};
}

Status CommandRun::StartElsewhere(const CommandTerms& terms, const ElsewhereStarter& start,
                                  Grounds grounds, std::string resolved, std::string_view below) {
  resolved_ = std::move(resolved);
  grounds_ = grounds;
  grounds_.resolved = resolved_;
  TRY_ASSIGN(begun_, ledger_.Begin(act_, grounds_));
  auto started = start(terms, below);
  if (!started) {
    TRY(ledger_.End(act_, grounds_, begun_, &started.error(), since_));
    return std::move(started.error());
  }
  elsewhere_ = std::move(*started);
  return {};
}

Result<sandbox::Ended> CommandRun::WaitForEnd() {
  if (!elsewhere_) return command_->Wait(*this);
  TRY_ASSIGN(outcome_, elsewhere_->Wait());
  return outcome_.ended;
}

Result<CommandOutcome> CommandRun::Wait() {
  auto ended = WaitForEnd();
  Quiet();
  Error failed;
  const Error* error = nullptr;
  if (!ended) {
    error = &ended.error();
  } else if (ended->status != 0 || ended->signal != 0 || !outcome_.limits.empty()) {
    failed.code = outcome_.limits.empty() ? ErrorCode::kCommandFailed : ErrorCode::kLimitExceeded;
    error = &failed;
  }
  TRY(ledger_.End(act_, grounds_, begun_, error, since_));
  if (!ended) return std::move(ended.error());
  TRY(unrecorded_);
  outcome_.ended = *ended;
  return std::move(outcome_);
}

void CommandRun::Quiet() {
  egress_.reset();
  questions_.reset();
}

CommandQuestions::Answers CommandRun::AnswersTo() {
  CommandQuestions::Answers answers;
  answers.give = [this](std::uint64_t id, platform::UniqueFd granted) {
    command_->Give(id, std::move(granted));
  };
  answers.refuse = [this](std::uint64_t id, int os_errno, const sandbox::Refused& refused) {
    if (!refused.rule.empty()) {
      const std::lock_guard lock(mutex_);
      if (outcome_.refused.size() < kMostTold) outcome_.refused.push_back(refused);
    }
    command_->Refuse(id, os_errno);
  };
  return answers;
}

void CommandRun::OnRefused(const sandbox::Refused& refused) {
  Status recorded = ledger_.Violated(act_, refused);
  const std::lock_guard lock(mutex_);
  outcome_.refused.push_back(refused);
  if (!recorded && unrecorded_) {
    unrecorded_ = std::move(recorded);
    command_->Kill();
  }
}

Status CommandRun::OnConnection(const Connection& connection) {
  Status recorded = ledger_.Connected(act_, connection);
  const std::lock_guard lock(mutex_);
  if (connection.decision == Connection::Decision::kRefused &&
      outcome_.connections.size() < kMostTold) {
    outcome_.connections.push_back(connection);
  }
  return recorded;
}

void CommandRun::OnAsk(const Ask& ask) {
  if (!questions_ || !questions_->Add(ask)) command_->Refuse(ask.id, kNoAccess);
}

Result<confine::File> Guard::OpenForCommand(const Call& call, std::string_view untrusted,
                                            confine::OpenMode mode) {
  if (mode == confine::OpenMode::kRead) return OpenRead(call, untrusted);
  const Act act{&call, audit::Event::kFileWrite, Operation::kWrite, untrusted};
  std::optional<confine::File> opened;
  TRY(state_->Done(act, Look::kFile, {}, [&](Way& way) -> Status {
    TRY_ASSIGN(opened, way.root->Open(way.path(), mode, way.expected));
    way.opened = opened->path();
    return {};
  }));
  if (!opened) return NoCommands();  // put off: nobody has agreed yet
  return std::move(*opened);
}

Result<std::unique_ptr<RunningCommand>> Guard::Run(const Call& call, const CommandTerms& terms) {
  const auto since = Ledger::Clock::now();
  const std::shared_ptr<const CommandSupport>& support = state_->parts.commands;
  auto run = std::make_unique<CommandRun>(*this, state_->ledger, call, terms,
                                          terms.directory.empty() ? "." : terms.directory);
  const Act& act = run->act();
  if (!support) return state_->ledger.Refused(act, {}, NoCommands(), since);
  if (boundary().Locate(act.asked).root == nullptr) {
    return state_->ledger.Refused(act, {}, OutsideDirectory(), since);
  }
  const auto ruling = RulingOn(boundary().settings(), terms);
  std::string preview = terms.preview;
  if (ruling) {
    if (ruling->action == policy::CommandAction::kDeny) {
      return state_->ledger.Refused(act, {}, Blocked(*ruling), since);
    }
    run->Obey(*ruling);
    if (act.ruled == Act::Ruled::kAsked) preview = Explained(*ruling) + "\n" + preview;
  }
  Admission::Extra extra;
  extra.preview = preview;
  extra.content = Sha256(terms.shown);
  Reach reach = Reach::kAsLocated;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    auto found = state_->FindWay(act, reach, Look::kObject, extra);
    if (!found) {
      if (act.ruled == Act::Ruled::kAsked) found.error().detail += "; " + Explained(*ruling);
      return state_->ledger.Refused(act, {}, std::move(found.error()), since);
    }
    if (reach == Reach::kOutside) break;
    if (!*found) continue;
    Way& way = **found;
    if (Status probed = state_->admission.Probe(act, way, Look::kObject); !probed) {
      return state_->ledger.Refused(act, {way.rule, way.tier, {}}, std::move(probed.error()),
                                    since);
    }
    if (support->elsewhere) {
      std::string_view below;
      const std::string resolved = way.resolved();
      path::StripRoot(resolved, boundary().workspace().real_path(), below);
      TRY(run->StartElsewhere(terms, support->elsewhere, {way.rule, way.tier, {}}, resolved,
                              below));
      return std::unique_ptr<RunningCommand>(std::move(run));
    }
    const bool asks =
        policy::RulesOf(boundary().settings().profile).outside == policy::OutsideAccess::kAsk &&
        state_->parts.desk && state_->parts.desk->reachable();
    const sandbox::Spec spec = SpecFor(boundary(), *support, terms, way.resolved(),
                                       asks ? Asking::kSomebody : Asking::kNobody);
    TRY(run->Start(spec, terms, *support, {way.rule, way.tier, {}}, way.resolved()));
    return std::unique_ptr<RunningCommand>(std::move(run));
  }
  return state_->ledger.Refused(act, {}, OutsideDirectory(), since);
}

BackgroundCommands& Guard::background() { return state_->background; }
bool Guard::RunsCommands() const { return state_->parts.commands != nullptr; }

}  // namespace cordon::guard
