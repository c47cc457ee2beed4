// Whole lines to one client from several threads.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/line_stream.h"

namespace cordon::mcp {

// Lines that come while one is being written go out together in the next write.
// Thread safety: everything may run concurrently.
class LineWriter {
 public:
  explicit LineWriter(LineStream& stream) : stream_(stream) {}

  // Adds the line end. Waits while much is unwritten.
  void Write(std::string_view line);
  // The same, but while the calling thread has a Holding it may stay here until somebody
  // writes or flushes, at the latest when the Holding ends.
  void Answer(std::string_view line);
  void Flush();

  // For a thread that has several answers to give one after the other. One at a time.
  class Holding {
   public:
    explicit Holding(LineWriter& writer);
    ~Holding();
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;

   private:
    LineWriter& writer_;
  };
  bool broken() const;  // nobody reads any more

 private:
  // Adds a line, once there is room for it. False: nobody reads any more.
  bool Add(std::unique_lock<std::mutex>& lock, std::string_view line);
  // Writes what waits, unless somebody is at it.
  void WriteOut(std::unique_lock<std::mutex>& lock);

  LineStream& stream_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  std::string going_;  // of whoever writes; both keep their room, in turns
  bool writing_ = false;
  bool broken_ = false;
};

}  // namespace cordon::mcp
