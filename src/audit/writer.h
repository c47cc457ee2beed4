// The one that writes: takes the lock among processes, gives numbers and hashes, and
// puts a batch of records into the stage or the file and their end into the head.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "audit/files.h"
#include "audit/head.h"
#include "audit/key.h"
#include "audit/line.h"
#include "audit/log.h"
#include "audit/recovery.h"
#include "cordon/result.h"

namespace cordon::audit {

// One record on its way in, and the number it got.
struct Submission {
  std::string body;  // audit/line.h
  std::uint64_t seq = 0;
};

// An end at which the file held everything, and the file.
struct InFile {
  HeadState end;
  std::shared_ptr<const platform::UniqueFd> file;
};

// Thread safety: may be used concurrently; one batch is written at a time.
class Writer {
 public:
  // Makes head and file if there are none, and puts right what was left behind.
  static Result<std::unique_ptr<Writer>> Open(LogFiles files, const Key& key,
                                              const LogOptions& options);

  // All of them, in this order and one after the other, or none.
  // Errors: kIoError, rule "audit". Damage is remembered: every later call fails too.
  Status Write(std::span<Submission* const> batch);

  // Number of the last record that Write was through with.
  std::uint64_t LastSeq() const { return last_seq_.load(); }
  // Brings what is staged into the file, itself or through whoever writes meanwhile; all
  // that was written before the call is there then.
  // Errors: as Write's. A full disk is none of those that are remembered.
  Result<InFile> BringToFile();
  // Says in the head that everything up to `end` is on the disk, itself or through
  // whoever writes next. Looks, too, whether the names still lead to the open files.
  Status SetDurable(const HeadState& end);
  // Every later Write fails with this.
  void Refuse(const Error& error);

 private:
  Writer(LogFiles files, Head head, const Key& key, const LogOptions& options,
         const platform::BootId& boot);

  Status WriteLocked(std::span<Submission* const> batch);
  Status Prepare();
  Status PutRight();
  Status OpenFile();
  Status CheckFile();
  Status CheckNames() const;
  Status Put(std::span<Submission* const> batch);
  Status Stage(const HeadState& end);
  Status Drain();
  Status WriteThrough(std::uint64_t offset, std::string_view bytes, const HeadState& end);
  Status TakeOver();
  Status Rotate();
  Status MakeNext(HeadState& end);
  Status Note(Event event, std::uint64_t lost);
  HeadState AppendLines(std::span<Submission* const> batch, HeadState end);
  Status Serve();
  Status SayDurable();
  void PublishInFile();
  std::unique_lock<std::mutex> LockUnlessServed(const std::atomic<bool>& wanted);
  Status Latch(Status status);

  std::mutex mutex_;  // of everything below
  LogFiles files_;
  Head head_;
  HmacSha256 mac_;
  LineWriter lines_;
  LogOptions options_;
  platform::BootId boot_;
  std::shared_ptr<const platform::UniqueFd> file_;
  std::uint64_t generation_ = 0;                   // of file_; 0 when none is open
  std::chrono::steady_clock::time_point checked_;  // file_
  std::string buffer_;
  std::optional<Error> refused_;

  std::atomic<std::uint64_t> last_seq_ = 0;
  // What the flusher asks of whoever writes, and they answer by taking it back.
  std::atomic<bool> drain_wanted_ = false, durable_wanted_ = false;

  std::mutex ends_mutex_;  // of what follows; held for a copy, never for a call
  InFile in_file_;
  HeadState durable_;  // to be said in the head
};

}  // namespace cordon::audit
