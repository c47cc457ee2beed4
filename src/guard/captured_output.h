// What a command prints, as it prints it: the beginning and the end are kept, however
// much there is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/command.h"

namespace cordon::guard {

// One stream. Positions count from its first byte.
class CapturedStream {
 public:
  struct Room {
    std::size_t head = 0, tail = 0;  // bytes
  };
  explicit CapturedStream(Room room) : room_(room) {}

  void Append(std::string_view bytes);

  struct Part {
    std::string text;           // head, a line that says what is missing, tail
    std::uint64_t missing = 0;  // bytes between
    std::uint64_t end = 0;      // where it ends
  };
  // From `start` on, as far as it is still there.
  Part From(std::uint64_t start) const;

 private:
  const Room room_;
  mutable std::mutex mutex_;
  std::string head_;
  std::string tail_;  // may hold up to twice its room before it is cut
  std::uint64_t size_ = 0;
};

// Both streams of one command; its input is empty.
// Thread safety: all methods may run concurrently, after Attach.
class CapturedOutput {
 public:
  // `grown` is told how many bytes there are by now, from two threads.
  static Result<std::unique_ptr<CapturedOutput>> Open(CapturedStream::Room room,
                                                      std::function<void(std::uint64_t)> grown);
  ~CapturedOutput();

  sandbox::Streams streams() const;
  // Once the command has them: from here on only it writes.
  void Attach();
  // Waits until nobody can write any more.
  void Finish();

  const CapturedStream& out() const { return out_; }
  const CapturedStream& err() const { return err_; }

 private:
  explicit CapturedOutput(CapturedStream::Room room, std::function<void(std::uint64_t)> grown);
  void Read(int from, CapturedStream& to);

  std::function<void(std::uint64_t)> grown_;
  std::atomic<std::uint64_t> total_{0};
  CapturedStream out_, err_;
  platform::UniqueFd null_, out_read_, out_write_, err_read_, err_write_;
  std::jthread reading_out_, reading_err_;
};

}  // namespace cordon::guard
