#include "provision/disk_exec.h"

#include <utility>

#include "base/try.h"

namespace cordon::provision {
namespace {

class DiskExec final : public Exec {
 public:
  DiskExec(std::unique_ptr<DiskWatch::Run> run, std::unique_ptr<Exec> exec)
      : run_(std::move(run)), exec_(std::move(exec)) {}

  Result<std::optional<Piece>> Read() override {
    auto piece = exec_->Read();
    // A driver may not know why the streams were cut off.
    if (!piece && run_->fate() != DiskWatch::Run::Fate::kLeftAlone) return std::optional<Piece>();
    return piece;
  }
  Status Write(std::string_view bytes) override { return exec_->Write(bytes); }
  void CloseInput() override { exec_->CloseInput(); }
  Status Resize(const TerminalSize& size) override { return exec_->Resize(size); }
  void Kill() override { exec_->Kill(); }
  Result<ExecEnd> Wait() override;

 private:
  const std::unique_ptr<DiskWatch::Run> run_;
  const std::unique_ptr<Exec> exec_;
};

Result<ExecEnd> DiskExec::Wait() {
  constexpr int kKillSignal = 9;
  using Outcome = DiskWatch::Run::Outcome;
  auto end = exec_->Wait();
  const DiskWatch::Run::Fate fate = run_->fate();
  if (!end && fate == DiskWatch::Run::Fate::kLeftAlone) return end;
  ExecEnd told;
  if (end) told = std::move(*end);
  if (fate == DiskWatch::Run::Fate::kStopped && (!end || told.why == ExecEnd::Why::kSandboxGone)) {
    told.signal = kKillSignal;
    told.why = ExecEnd::Why::kKilled;
  }
  const bool good = told.status == 0 && told.signal == 0;
  if (auto hindrance = run_->Hindrance(good ? Outcome::kGood : Outcome::kFailed)) {
    told.refusals.push_back(std::move(*hindrance));
  }
  return told;
}

}  // namespace

std::unique_ptr<Exec> WithDiskWatch(std::unique_ptr<DiskWatch::Run> run,
                                    std::unique_ptr<Exec> exec) {
  if (!run) return exec;
  return std::make_unique<DiskExec>(std::move(run), std::move(exec));
}

}  // namespace cordon::provision
