// The limit on disks where no file system holds it: sandboxes are looked at while something runs in
// them, or was written to them, and otherwise not at all.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "net/worker_pool.h"
#include "platform/disk_space.h"
#include "provision/disk_hold.h"

namespace cordon::provision {

// When it looks: as soon as the file system has so much less room that a sandbox may be over, which
// is asked every 20 ms; every half second while a program is attached, up to every four seconds
// while something runs in the background; never more than a third of the time. Who is over is
// stopped; the sandbox goes on, so that something can be removed. Then only who adds is stopped.
// Guarantees: where a quota holds (DiskHold::kQuota), nothing is measured and nobody stopped.
// Does not guarantee: exactness. Over a limit by what is written in between; a program that hides
//   what it writes (files without a name, directories moved about) is stopped only when the file
//   system itself is nearly full, with everybody who runs on it.
//   A sandbox that does not answer delays nobody else: those are asked and told beside the looking.
// Thread safety: all methods may run concurrently. Hands are called from any thread, and must not
//   call back.
class DiskWatch : public std::enable_shared_from_this<DiskWatch> {
 public:
  struct Hands {
    std::function<Result<platform::DiskRoom>()> room;  // where all of them are
    std::function<Result<TreeUse>(const SandboxId& id, std::uint64_t most_files)> measure;
    std::function<Result<TreeUse>(const SandboxId& id, const TreeUse& most)> by_quota;
    std::function<bool(const SandboxId& id)> runs;  // whether anything does in it
    std::function<void(const SandboxId& id, std::string_view why)> stop;  // what runs
    std::function<void(const SandboxId& id, std::string_view why)> end;   // all of it
  };
  static std::shared_ptr<DiskWatch> Start(Hands hands);
  ~DiskWatch();
  DiskWatch(const DiskWatch&) = delete;
  DiskWatch& operator=(const DiskWatch&) = delete;
  // No hand is used any more when it returns, though programs (Run) may outlive it.
  void Close();

  // What is made anew is empty; what is found may hold anything, and run.
  enum class Origin { kMade, kFound };
  // Again for the same id is no error. What holds it is read back by the caller.
  void Add(const SandboxId& id, std::uint64_t disk, DiskHold hold, Origin origin);
  void Forget(const SandboxId& id);
  // Something may have begun to run in it.
  void Touch(const SandboxId& id);

  struct Watched;
  // A program, for as long as it is attached.
  class Run {
   public:
    // Waits while what runs in the sandbox is being ended, so that it is neither ended with it nor
    // blamed for what was written by then.
    Run(std::shared_ptr<DiskWatch> watch, std::shared_ptr<Watched> watched);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    // The limit that was in its way, in words, if one was; when it has ended.
    enum class Outcome { kGood, kFailed };
    std::optional<std::string> Hindrance(Outcome outcome);
    enum class Fate { kLeftAlone, kStopped, kSandboxEnded };
    Fate fate() const;

   private:
    const std::shared_ptr<DiskWatch> watch_;
    const std::shared_ptr<Watched> watched_;
    std::uint64_t stops_before_ = 0;
  };
  // Null: it is not known here.
  std::unique_ptr<Run> Begin(const SandboxId& id);
  // Waits as Run does: for what is to run there without being a program.
  void AwaitHalt(const SandboxId& id);

  // As Driver::Room.
  Status Room(const SandboxId& id, std::uint64_t bytes);
  // Bytes that it has now; what is known already if nothing can have changed.
  Result<std::uint64_t> Use(const SandboxId& id);

 private:
  explicit DiskWatch(Hands hands);
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  std::shared_ptr<Watched> Find(const SandboxId& id);
  void Wake(Watched& watched);
  void AwaitHalt(Lock& lock, const Watched& watched);
  void RunThread(const std::stop_token& stop);
  void Glance();
  bool IsDue(const Watched& watched, const platform::DiskRoom& room, Clock::time_point now) const;
  // Errors: those of measuring; kIoError when this is closed.
  Status Look(const std::shared_ptr<Watched>& watched);
  void LookAtBackground(const std::shared_ptr<Watched>& watched);
  void Judge(const std::shared_ptr<Watched>& watched);

  // disk_halt.cc: what is said to sandboxes, each by a thread that may wait for the answer.
  enum class Extent { kNothing, kPrograms, kSandbox };
  void AskWhetherItRuns(const std::shared_ptr<Watched>& watched);
  void Halt(const std::shared_ptr<Watched>& watched, Extent extent, std::string_view why);
  void CarryOut(const std::shared_ptr<Watched>& watched, Extent extent, std::string_view why);

  const Hands hands_;
  std::mutex mutex_;  // of all below, and of what each Watched holds
  std::condition_variable_any changed_;
  std::map<SandboxId, std::shared_ptr<Watched>> all_;
  std::size_t awake_ = 0;
  bool closed_ = false;
  std::unique_ptr<net::WorkerPool> talks_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace cordon::provision
