#include "serve/recorded_exec.h"

#include <utility>

#include "base/try.h"
#include "provision/fault_point.h"

namespace cordon::serve {
namespace {

using audit::Durability;

constexpr std::size_t kLongestShown = 4096;

std::string Shown(const std::vector<std::string>& arguments) {
  std::string shown;
  for (const std::string& one : arguments) {
    if (!shown.empty()) shown += ' ';
    shown += one;
    if (shown.size() > kLongestShown) break;
  }
  return shown.substr(0, kLongestShown);
}

bool HasNul(const std::string& text) { return text.find('\0') != std::string::npos; }

}  // namespace

std::string_view WhyName(provision::ExecEnd::Why why) {
  using Why = provision::ExecEnd::Why;
  switch (why) {
    case Why::kExited: return "exited";
    case Why::kTimeout: return "timeout";
    case Why::kKilled: return "killed";
    case Why::kSandboxGone: break;
  }
  return "sandbox-gone";
}

provision::ExecTerms ReadProgram(JsonBody& body) {
  provision::ExecTerms terms;
  const auto command = body.Text("command");
  auto arguments = body.Texts("arguments");
  if (command.has_value() == arguments.has_value()) {
    body.Refuse("command", "give either command or arguments");
  }
  if (arguments && (arguments->empty() || arguments->front().empty())) {
    body.Refuse("arguments", "the first one names the program");
  }
  if (command) terms.arguments = {"/bin/sh", "-c", *command};
  if (arguments) terms.arguments = std::move(*arguments);
  terms.directory = body.Text("directory").value_or("");
  if (!terms.directory.empty() && terms.directory.front() != '/') {
    terms.directory.insert(0, "/workspace/");
  }
  if (const auto variables = body.Object("environment")) {
    for (const auto& member : *variables) {
      std::string variable(member.key());
      if (variable.empty() || variable.find('=') != std::string::npos ||
          !member.value().is_string()) {
        body.Refuse("environment", "this must be an object of names with texts");
        break;
      }
      variable += '=';
      variable += std::string_view(member.value().get_string());
      terms.environment.push_back(std::move(variable));
    }
  }
  bool nul = HasNul(terms.directory);
  for (const std::string& one : terms.arguments) nul = nul || HasNul(one);
  for (const std::string& one : terms.environment) nul = nul || HasNul(one);
  if (nul) body.Refuse("", "no text may hold the byte 0");
  return terms;
}

audit::Record RecordedExec::Entry() const {
  audit::Record record;
  record.event = audit::Event::kCommandExec;
  record.session = token_;
  if (lease_.sandbox.conversation) record.conversation = *lease_.sandbox.conversation;
  record.sandbox = lease_.sandbox.id.text();
  record.actor = user_;
  record.tool = "exec";
  record.asked = directory_;
  record.target = shown_;
  record.decision = audit::Decision::kAllowed;
  record.rule = "sandbox";
  record.tier = audit::Tier::kKernel;
  return record;
}

Result<std::unique_ptr<RecordedExec>> RecordedExec::Start(std::shared_ptr<audit::Recorder> recorder,
                                                          provision::Sandboxes::Lease lease,
                                                          const provision::ExecTerms& terms,
                                                          const Caller& caller) {
  std::unique_ptr<RecordedExec> made(new RecordedExec(std::move(lease)));
  made->recorder_ = std::move(recorder);
  made->shown_ = Shown(terms.arguments);
  made->directory_ = terms.directory.empty() ? "/workspace" : terms.directory;
  made->user_ = caller.user;
  made->token_ = caller.token;
  audit::Record record = made->Entry();
  record.phase = audit::Phase::kBegin;
  TRY_ASSIGN(made->begun_, made->recorder_->Append(record, Durability::kWithKernel));
  provision::FaultPoint("exec.recorded");
  auto started = made->lease_.driver->Start(made->lease_.sandbox.id, terms);
  provision::FaultPoint("exec.started");
  if (!started) {
    made->over_ = true;
    record.phase = audit::Phase::kEnd;
    record.begun = made->begun_;
    record.error = started.error().code;
    TRY(made->recorder_->Append(record, Durability::kWithKernel));
    return std::move(started.error());
  }
  made->exec_ = std::move(*started);
  return made;
}

Status RecordedExec::Ended(const provision::ExecEnd* end) {
  if (std::exchange(over_, true)) return {};
  audit::Record record = Entry();
  record.phase = audit::Phase::kEnd;
  record.begun = begun_;
  if (end == nullptr) {
    record.error = ErrorCode::kIoError;
  } else if (end->why == provision::ExecEnd::Why::kTimeout) {
    record.error = ErrorCode::kTimeout;
  } else if (end->status != 0 || end->signal != 0) {
    record.error = ErrorCode::kCommandFailed;
  }
  TRY(recorder_->Append(record, Durability::kWithKernel));
  return {};
}

Result<provision::ExecEnd> RecordedExec::Wait() {
  auto end = exec_->Wait();
  provision::FaultPoint("exec.over");
  TRY(Ended(end ? &*end : nullptr));
  provision::FaultPoint("exec.closed");
  return end;
}

RecordedExec::~RecordedExec() {
  exec_.reset();
  // Nobody is left to be told; the record that it began stays.
  static_cast<void>(Ended(nullptr));
}

}  // namespace cordon::serve
