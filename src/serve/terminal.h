// A program on a terminal in a sandbox, which goes on while nobody looks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "serve/recorded_exec.h"
#include "store/records.h"

namespace cordon::serve {

// Keeps the last of what was printed, so that who comes back misses nothing, or knows what.
// Thread safety: every method may run concurrently.
class Terminal {
 public:
  static constexpr std::size_t kKept = std::size_t{256} << 10;

  Terminal(std::string id, store::Time created, std::unique_ptr<RecordedExec> running);
  ~Terminal();  // ends the program
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& id() const { return id_; }
  store::Time created() const { return created_; }

  struct Output {
    std::uint64_t offset = 0;  // of the first byte
    std::string bytes;
    bool over = false;  // and there will be no more
  };
  // What there is from `offset` on, or from the oldest that is kept; waits for it, so long at
  // most.
  Output From(std::uint64_t offset, std::chrono::milliseconds patience) const;
  std::uint64_t end() const;  // bytes so far
  // Unset while it runs.
  std::optional<provision::ExecEnd> ended() const;

  Status Write(std::string_view bytes) { return running_->exec().Write(bytes); }
  Status Resize(const provision::TerminalSize& size) { return running_->exec().Resize(size); }
  void Kill() { running_->exec().Kill(); }

  // Somebody looks, until what is given is dropped.
  std::shared_ptr<void> Watch();
  // How long nobody has.
  std::chrono::steady_clock::duration unwatched() const;

 private:
  void Pump();

  const std::string id_;
  const store::Time created_;
  const std::unique_ptr<RecordedExec> running_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::string kept_;
  std::uint64_t begin_ = 0;  // offset of kept_'s first byte
  bool over_ = false;
  std::optional<provision::ExecEnd> ended_;
  std::size_t watchers_ = 0;
  std::chrono::steady_clock::time_point left_ = std::chrono::steady_clock::now();
  std::jthread pump_;
};

}  // namespace cordon::serve
