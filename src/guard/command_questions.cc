#include "guard/command_questions.h"

#include <utility>

#include "base/try.h"
#include "consent/channel.h"

namespace cordon::guard {
namespace {

using sandbox::Ask;
using Way = sandbox::Ask::Way;

// More than this wait for a person: the rest is refused.
constexpr std::size_t kMostWaiting = 256;

// The errors of the system, as its programs know them.
constexpr int kNoEntry = 2, kNoAccess = 13, kExists = 17, kCrossesDevices = 18, kNoDirectory = 20,
              kIsDirectory = 21, kNotEmpty = 39;

int ErrnoOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound: return kNoEntry;
    case ErrorCode::kAlreadyExists: return error.os_errno == kNotEmpty ? kNotEmpty : kExists;
    case ErrorCode::kNotADirectory: return kNoDirectory;
    case ErrorCode::kIsADirectory: return kIsDirectory;
    default: return error.os_errno == kCrossesDevices ? kCrossesDevices : kNoAccess;
  }
}

// It only failed, as it would have for anybody.
bool IsFailure(const Error& error) { return ErrnoOf(error) != kNoAccess; }

confine::OpenMode ModeOf(Way way) {
  switch (way) {
    case Way::kWrite: return confine::OpenMode::kWrite;
    case Way::kReadWrite: return confine::OpenMode::kReadWrite;
    case Way::kCreate: return confine::OpenMode::kCreate;
    case Way::kCreateExclusive: return confine::OpenMode::kCreateExclusive;
    default: return confine::OpenMode::kRead;
  }
}

Operation OperationOf(Way way) {
  switch (way) {
    case Way::kRead: return Operation::kRead;
    case Way::kMakeDirectory: return Operation::kMkdir;
    case Way::kRemove: return Operation::kDelete;
    case Way::kRename:
    case Way::kRenameToFree: return Operation::kRename;
    default: return Operation::kWrite;
  }
}

policy::ToolKind KindOf(Way way) {
  if (way == Way::kRead) return policy::ToolKind::kRead;
  return way == Way::kRemove ? policy::ToolKind::kDelete : policy::ToolKind::kWrite;
}

Error NobodyAgreed() {
  Error error;
  error.code = ErrorCode::kConsentUnavailable;
  error.op = "run";
  error.rule = "boundary";
  error.detail = "nobody has agreed yet";
  return error;
}

}  // namespace

CommandQuestions::CommandQuestions(Guard& guard, Call call, Answers answers)
    : guard_(guard),
      call_(std::move(call)),
      answers_(std::move(answers)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

CommandQuestions::~CommandQuestions() {
  thread_.request_stop();
  thread_.join();
}

bool CommandQuestions::Add(const Ask& ask) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(ask);
  came_.notify_one();
  return true;
}

void CommandQuestions::Run(const std::stop_token& stop) {
  while (true) {
    Ask ask;
    {
      std::unique_lock lock(mutex_);
      if (!came_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      ask = std::move(waiting_.front());
      waiting_.pop_front();
    }
    Answer(ask, stop);
  }
}

void CommandQuestions::Answer(const Ask& ask, const std::stop_token& stop) {
  Call call = call_;
  call.kind = KindOf(ask.way);
  call.stop = stop;
  auto answer = Opens(ask.way) ? Open(call, ask) : Do(call, ask);
  if (answer) return answers_.give(ask.id, std::move(*answer));
  sandbox::Refused refused;
  const Error& error = answer.error();
  if (!IsFailure(error)) {
    refused = {OperationOf(ask.way), ask.path, error.rule.empty() ? "outside" : error.rule,
               ask.program, ask.process};
  }
  answers_.refuse(ask.id, ErrnoOf(error), refused);
}

Result<platform::UniqueFd> CommandQuestions::Open(const Call& call, const Ask& ask) {
  TRY_ASSIGN(confine::File file, guard_.OpenForCommand(call, ask.path, ModeOf(ask.way)));
  if (ask.truncate) TRY(file.Truncate(0));
  return file.TakeDescriptor();
}

Result<platform::UniqueFd> CommandQuestions::Do(const Call& call, const Ask& ask) {
  TRY(Change(call, ask));
  return platform::UniqueFd();
}

Status CommandQuestions::Change(const Call& call, const Ask& ask) {
  // What is put off seems to be done: a process must not be told so.
  if (call.client != nullptr && call.client->deferred()) return NobodyAgreed();
  switch (ask.way) {
    case Way::kMakeDirectory: return guard_.Mkdir(call, ask.path);
    case Way::kRemove: return guard_.Remove(call, ask.path);
    case Way::kRename: return guard_.Rename(call, ask.path, ask.to);
    case Way::kRenameToFree:
      return guard_.Rename(call, ask.path, ask.to, {RenameOptions::Existing::kRefuse});
    default: return NobodyAgreed();
  }
}

}  // namespace cordon::guard
