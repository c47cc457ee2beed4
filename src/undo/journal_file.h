// The file of lines, for any number of processes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cordon/result.h"
#include "platform/file_lock.h"
#include "platform/unique_fd.h"
#include "undo/entry_text.h"

namespace cordon::undo {

// Guarantees: a line is there whole or not at all for who reads; a torn one, left by a
//   killed process, is closed before the next is written.
class JournalFile {
 public:
  // In `directory`, which must stay open as long as this lives.
  static Result<std::unique_ptr<JournalFile>> Open(int directory);

  // Excludes every other process and thread, and knows where the file ends.
  class Turn {
   public:
    // Sets the entry's counters and writes it.
    Status Append(Entry entry) const;
    // A number nobody else has.
    OperationId NextId() const { return ++file_.last_; }
    void AddKept(std::uint64_t bytes) const { file_.total_ += bytes; }
    std::uint64_t total() const { return file_.total_; }
    Result<std::string> ReadAll() const { return file_.ReadAll(); }
    // All at once. `kept`: bytes of what the lines refer to.
    Status Rewrite(std::string lines, std::uint64_t kept) const;

   private:
    friend class JournalFile;
    Turn(JournalFile& file, std::unique_lock<std::mutex> threads, platform::FileLock processes)
        : file_(file), threads_(std::move(threads)), processes_(std::move(processes)) {}
    JournalFile& file_;
    std::unique_lock<std::mutex> threads_;
    platform::FileLock processes_;
  };
  Result<Turn> Take();

  // As it is now; needs no turn.
  Result<std::string> ReadAll() const;

 private:
  explicit JournalFile(int directory) : directory_(directory) {}
  // Follows what others have written or replaced.
  Status Refresh();
  Status ReadTail(std::uint64_t size);

  int directory_;
  platform::UniqueFd lock_;
  std::mutex mutex_;
  platform::UniqueFd file_;
  std::uint64_t end_ = 0;  // read up to here
  bool torn_ = false;      // the last line has no end
  OperationId last_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace cordon::undo
