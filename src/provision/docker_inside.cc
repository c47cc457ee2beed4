// What the driver does in its sandboxes: by way of `cordon-tools`, which stands in each of them.
#include <utility>

#include "base/try.h"
#include "provision/disk_exec.h"
#include "provision/docker_driver_state.h"
#include "provision/docker_streams.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kToolsTime{30'000};
constexpr std::size_t kMostTold = std::size_t{8} << 20;
constexpr int kNoSuchProcess = 3;

Error Refusal(ErrorCode code, std::string_view detail) {
  Error error;
  error.code = code;
  error.op = "docker";
  error.detail = detail;
  return error;
}

milliseconds Left(Clock::time_point end) {
  return std::max(std::chrono::ceil<milliseconds>(end - Clock::now()), milliseconds(1));
}

DockerApi::Command ToolsCommand(std::uint32_t user, const std::vector<std::string>& arguments) {
  DockerApi::Command command;
  command.user = UserOfPrograms(user);
  command.arguments.emplace_back(kToolsInside);
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return command;
}

// An Exec that is also known to the driver, which ends its streams when the sandbox dies.
class SharedExec final : public Exec {
 public:
  explicit SharedExec(std::shared_ptr<DockerExec> exec) : exec_(std::move(exec)) {}
  Result<std::optional<Piece>> Read() override { return exec_->Read(); }
  Status Write(std::string_view bytes) override { return exec_->Write(bytes); }
  void CloseInput() override { exec_->CloseInput(); }
  Status Resize(const TerminalSize& size) override { return exec_->Resize(size); }
  void Kill() override { exec_->Kill(); }
  Result<ExecEnd> Wait() override { return exec_->Wait(); }

 private:
  std::shared_ptr<DockerExec> exec_;
};

// Shared with the driver, which ends it when the sandbox dies: engines forget to.
class DockerTools final : public ToolStream {
 public:
  explicit DockerTools(std::shared_ptr<DockerStream> stream) : stream_(std::move(stream)) {}
  Status Send(std::string_view bytes) override { return stream_->Send(bytes); }
  Result<std::string> Receive(milliseconds patience) override {
    while (true) {
      TRY_ASSIGN(std::optional<DockerPiece> piece, stream_->Read(patience));
      if (!piece) return std::string();
      if (piece->stream == DockerPiece::Stream::kOut) return std::move(piece->bytes);
    }
  }

 private:
  const std::shared_ptr<DockerStream> stream_;
};

}  // namespace

Result<DockerDriver::Task> DockerDriver::BeginTask(const SandboxId& id,
                                                   const std::vector<std::string>& arguments) {
  const std::uint64_t before = Deaths();
  TRY_ASSIGN(DockerApi::Started started,
             api_.Exec(ContainerName(id), ToolsCommand(user_, arguments)));
  Task task{std::move(started.exec), std::make_shared<DockerStream>(std::move(started.streams))};
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(tools_, [](const auto& one) { return one.second.expired(); });
    tools_.emplace(id, task.streams);
  }
  TRY(ExpectNoDeathSince(before, id));
  return task;
}

std::uint64_t DockerDriver::Deaths() {
  const std::lock_guard lock(mutex_);
  return deaths_;
}

Status DockerDriver::ExpectNoDeathSince(std::uint64_t deaths, const SandboxId& id) {
  return Deaths() == deaths ? Status() : ExpectRunning(id);
}

Result<std::shared_ptr<DockerStream>> DockerDriver::StartTools(const SandboxId& id,
                                                               const std::string& task) {
  Result<Task> begun = BeginTask(id, {task});
  if (begun) return std::move(begun->streams);
  if (begun.error().code == ErrorCode::kAlreadyExists) {  // 409
    return Refusal(ErrorCode::kSandboxRequired, "The sandbox stands still, or has ended.");
  }
  return std::move(begun.error());
}

Result<std::unique_ptr<ToolStream>> DockerDriver::Tools(const SandboxId& id) {
  disks_->AwaitHalt(id);
  TRY_ASSIGN(std::shared_ptr<DockerStream> stream, StartTools(id, "files"));
  return std::unique_ptr<ToolStream>(std::make_unique<DockerTools>(std::move(stream)));
}

Result<DockerDriver::Told> DockerDriver::RunTools(const SandboxId& id,
                                                  const std::vector<std::string>& arguments) {
  TRY_ASSIGN(const Task task, BeginTask(id, arguments));
  const auto end = Clock::now() + kToolsTime;
  Told told;
  std::string complaint;
  while (true) {
    TRY_ASSIGN(const std::optional<DockerPiece> piece, task.streams->Read(Left(end)));
    if (!piece) break;
    (piece->stream == DockerPiece::Stream::kOut ? told.output : complaint) += piece->bytes;
    if (told.output.size() + complaint.size() > kMostTold) {
      return Refusal(ErrorCode::kTooLarge, "The sandbox tells more than is taken.");
    }
  }
  // The streams end a moment before the program does.
  while (true) {
    const Result<int> status = api_.ExecStatus(task.exec);
    if (status) {
      told.status = *status;
      return told;
    }
    if (status.error().code != ErrorCode::kTimeout || Clock::now() >= end) return status.error();
    std::this_thread::sleep_for(milliseconds(5));
  }
}

Result<inside::View> DockerDriver::Look(const SandboxId& id) {
  TRY_ASSIGN(const Told told, RunTools(id, {"look"}));
  if (told.status != 0) return Refusal(ErrorCode::kIoError, "The sandbox cannot be looked into.");
  return inside::DecodeView(told.output);
}

Result<std::unique_ptr<Exec>> DockerDriver::Start(const SandboxId& id, const ExecTerms& terms) {
  if (terms.arguments.empty()) {
    return Refusal(ErrorCode::kInvalidArguments, "There is no program to start.");
  }
  if (!terms.directory.empty() && !terms.directory.starts_with('/')) {
    return Refusal(ErrorCode::kInvalidArguments, "The directory is not absolute.");
  }
  const TerminalSize size = terms.terminal.value_or(TerminalSize{0, 0});
  std::vector<std::string> arguments = {
      "run",
      terms.directory.empty() ? "/workspace" : terms.directory,
      std::to_string(terms.timeout.count()),
      std::to_string(terms.terminal ? std::max<int>(size.rows, 1) : 0),
      std::to_string(size.columns),
      terms.bond == ExecTerms::Bond::kDetached ? "detached" : "attached"};
  arguments.insert(arguments.end(), terms.arguments.begin(), terms.arguments.end());
  DockerApi::Command command = ToolsCommand(user_, arguments);
  command.environment = terms.environment;
  if (terms.terminal)
    command.environment.insert(command.environment.begin(), "TERM=xterm-256color");
  auto run = disks_->Begin(id);
  const std::uint64_t before = Deaths();
  Result<DockerApi::Started> started = api_.Exec(ContainerName(id), command);
  if (!started && started.error().code == ErrorCode::kAlreadyExists) {  // 409
    return Refusal(ErrorCode::kSandboxRequired, "The sandbox stands still, or has ended.");
  }
  if (!started) return started.error();
  TRY_ASSIGN(std::shared_ptr<DockerExec> exec,
             DockerExec::Begin(std::move(started->streams), terms));
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(running_, [](const auto& one) { return one.second.expired(); });
    running_.emplace(id, exec);
  }
  if (!ExpectNoDeathSince(before, id)) exec->SandboxGone();
  return WithDiskWatch(std::move(run), std::make_unique<SharedExec>(std::move(exec)));
}

Result<Usage> DockerDriver::Inspect(const SandboxId& id) {
  TRY_ASSIGN(const boost::json::object stats, api_.Stats(ContainerName(id)));
  TRY_ASSIGN(const inside::View view, Look(id));
  const auto& cpu = ObjectAt(ObjectAt(stats, "cpu_stats"), "cpu_usage");
  const auto& memory = ObjectAt(stats, "memory_stats");
  Usage usage;
  usage.cpu = std::chrono::microseconds(NumberAt(cpu, "total_usage") / 1000);
  usage.memory = static_cast<std::uint64_t>(NumberAt(memory, "usage"));
  usage.peak_memory =
      std::max(static_cast<std::uint64_t>(NumberAt(memory, "max_usage")), usage.memory);
  usage.disk = disks_->Use(id).value_or(view.disk);
  usage.ports = view.ports;
  for (const inside::View::Process& one : view.processes) {
    usage.processes.push_back(
        {one.id, one.parent, one.program, one.arguments, one.memory, milliseconds(one.cpu_ms)});
  }
  return usage;
}

Status DockerDriver::Signal(const SandboxId& id, std::uint32_t process, int signal) {
  TRY_ASSIGN(const Told told,
             RunTools(id, {"signal", std::to_string(process), std::to_string(signal)}));
  if (told.status == 0) return {};
  if (told.status == kNoSuchProcess) {
    return Refusal(ErrorCode::kNotFound, "There is no such process in the sandbox.");
  }
  return Refusal(ErrorCode::kInvalidArguments, "The process cannot be signalled so.");
}

Result<DockerRelay*> DockerDriver::Relay() {
  const std::lock_guard lock(mutex_);
  if (!relay_) {
    TRY_ASSIGN(relay_, DockerRelay::Start());
  }
  return relay_.get();
}

Result<platform::UniqueFd> DockerDriver::Connect(const SandboxId& id, std::uint16_t port) {
  TRY_ASSIGN(DockerRelay* const relay, Relay());
  return relay->Connect(id, port, [&] { return StartTools(id, "relay"); });
}

}  // namespace cordon::provision
