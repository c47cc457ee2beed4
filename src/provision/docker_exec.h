// A program in a container: `cordon-tools run` is its parent, and ends it with all it started.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "inside/run_wire.h"
#include "provision/docker_streams.h"
#include "provision/driver.h"

namespace cordon::provision {

class DockerExec final : public Exec {
 public:
  // Waits until the program runs. Errors: kCommandFailed when it cannot be started; kIoError.
  static Result<std::shared_ptr<DockerExec>> Begin(net::HttpHijack streams, const ExecTerms& terms);
  ~DockerExec() override;
  DockerExec(const DockerExec&) = delete;
  DockerExec& operator=(const DockerExec&) = delete;

  Result<std::optional<Piece>> Read() override;
  Status Write(std::string_view bytes) override;
  void CloseInput() override;
  Status Resize(const TerminalSize& size) override;
  void Kill() override;
  Result<ExecEnd> Wait() override;
  // Engines forget to end the streams of a container that dies.
  void SandboxGone();

 private:
  using Lock = std::unique_lock<std::mutex>;
  DockerExec(net::HttpHijack streams, const ExecTerms& terms);
  // Takes in what has come, or waits until another thread did.
  void Pump(Lock& lock);
  void Receive(const Result<std::optional<DockerPiece>>& piece);
  void Understand(const inside::Frame& frame);
  void Fail(Error error);
  Status SendFrame(std::string_view frame);

  DockerStream stream_;
  const ExecTerms terms_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // of ours, behind theirs

  std::mutex sending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool pumping_ = false;                       // a thread waits for the stream
  inside::FrameReader frames_;                 //
  std::deque<Piece> pieces_;                   //
  std::uint64_t grant_ = inside::kFirstGrant;  // bytes of input that are taken
  bool begun_ = false, over_ = false, gone_ = false, killed_ = false;
  std::optional<int> not_begun_;  // errno
  std::optional<inside::RunEnd> end_;
  std::optional<Error> failed_;
};

}  // namespace cordon::provision
