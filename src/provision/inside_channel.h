// One `cordon-tools files` in a sandbox, and those of a sandbox together.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "cordon/result.h"
#include "inside/file_wire.h"
#include "provision/driver.h"

namespace cordon::provision {

// The answer's fields, behind its kind.
struct InsideAnswer {
  std::string bytes;
  inside::FieldReader fields() const {
    return inside::FieldReader(std::string_view(bytes).substr(1));
  }
};

// Guarantees: whatever comes from inside, no more of it is held than was allowed, and no call
//   waits longer than its patience; after the first thing that is no answer it is not spoken to
//   any more.
// Thread safety: all methods may run concurrently; requests are taken one after the other.
class InsideChannel {
 public:
  // Errors: those of the first answer.
  static Result<std::shared_ptr<InsideChannel>> Open(std::unique_ptr<ToolStream> stream,
                                                     const confine::RootOptions& options);

  // Waits for the answer, of `most` bytes at most. Errors: those told inside; kIoError and
  // kTimeout of the way there, and then whether it was done is not known.
  Result<InsideAnswer> Ask(std::string request, std::size_t most);
  // Without an answer.
  Status Tell(std::string_view request);
  // What is held open there under this number is not needed any more: told with the next request.
  void Release(std::uint64_t number);

  bool broken() const { return broken_; }
  // Whether it is broken because it ended, without having said anything wrong.
  bool ended() const { return ended_; }
  // Whether it is as it was left: nothing has come of itself, and it has not ended.
  bool quiet();
  // How many are waiting for it, or speak with it.
  int users() const { return users_; }

 private:
  explicit InsideChannel(std::unique_ptr<ToolStream> stream) : stream_(std::move(stream)) {}
  Status Send(std::string_view request);
  Result<std::string> Receive(std::size_t most);
  Error Broken(Error why);

  const std::unique_ptr<ToolStream> stream_;
  std::atomic<int> users_{0};
  std::atomic<bool> broken_{false}, ended_{false};
  std::mutex mutex_;  // of the stream
  std::mutex releasing_;
  std::vector<std::uint64_t> released_;
};

using ToolStarter = std::function<Result<std::unique_ptr<ToolStream>>()>;

// Starts them when they are needed, three at most, and anew when one has ended.
// Thread safety: all methods may run concurrently.
class InsideCrew {
 public:
  InsideCrew(ToolStarter start, confine::RootOptions options)
      : start_(std::move(start)), options_(std::move(options)) {}
  // One that is not busy, if that can be had.
  Result<std::shared_ptr<InsideChannel>> Member();

  struct Told {
    std::shared_ptr<InsideChannel> channel;  // that holds what the answer may speak of
    InsideAnswer answer;
  };
  // Of a request that changes nothing: if who was asked ended over it, as all do that run in a
  // sandbox with a full disk, another one is asked. Errors: as Member and InsideChannel::Ask.
  Result<Told> Question(const std::string& request, std::size_t most);

 private:
  const ToolStarter start_;
  const confine::RootOptions options_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<InsideChannel>> members_;
  std::size_t starting_ = 0;
};

}  // namespace cordon::provision
