// The audit log on disk: appended to by any number of threads and processes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "audit/recorder.h"
#include "confine/ambient_authority.h"
#include "cordon/result.h"

namespace cordon::audit {

// Where a log, its head and the key are. The log's older files stand beside it as
// FILE.000001 and so on, the head as FILE.head.
struct LogPlace {
  std::string log_file;  // absolute
  std::string key_file;  // absolute
};

struct LogOptions {
  std::uint64_t rotate_at = 64u << 20;        // bytes; a file is left when it has reached this
  std::chrono::milliseconds flush_after{10};  // how long a record may wait for its flush to begin
};

// Guarantees: when Append has returned, unless its thread has a Deferral, the record is with the
//   kernel, so that killing any process at any instant loses nothing that was acknowledged; a
//   background thread brings it into the file, if it was staged in the head, and
//   flushes it to the disk. Records have one order across all
//   processes, each chained to the one before. A record left half-written by a
//   killed process is removed by the next writer. Files are made with mode 0600.
//   Contents of files are never in a Record, so never in the log.
// Does not guarantee: that records not yet flushed survive a loss of power. That
//   whoever can read the key cannot forge the log.
// Errors of Append: kIoError with rule "audit": the disk is full (and the stage, or the
//   record must be on the disk), the log cannot be written, or is damaged. Once the log was
//   found damaged it stays refused. With kOnDisk, a record that was refused for want of room
//   may be in the log all the same.
//   kInvalidArguments for log.opened and log.rotated, which the log writes itself.
// Thread safety: Append may run concurrently. Not to be used in a forked child.
class Log : public Recorder {
 public:
  // Makes missing directories (0700), key and log. Repairs what a killed writer left.
  // Errors: kPermissionDenied (a key or log that others may write, or that is not
  //   ours), kIoError, kNotARegularFile; a log whose key is gone is an error,
  //   never a reason to make a new key.
  static Result<std::shared_ptr<Log>> Open(const LogPlace& place, const LogOptions& options,
                                           confine::AmbientAuthority authority);
  ~Log() override;

  Result<std::uint64_t> Append(const Record& record, Durability durability) override;

  // Waits until everything appended so far is on the disk.
  Status Flush();

 private:
  struct State;
  explicit Log(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::audit
