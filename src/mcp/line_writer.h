// Whole lines to one client from several threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/line_stream.h"
#include "mcp/reply_stream.h"

namespace cordon::mcp {

// Lines that come while one is being written go out together in the next write.
// Thread safety: everything may run concurrently.
class LineWriter {
 public:
  explicit LineWriter(LineStream& stream) : stream_(stream) {}

  // Adds the line end. Waits while much is unwritten.
  void Write(std::string_view line);
  // The same, but while the calling thread has a Holding it stays there until that has enough
  // or ends, or somebody flushes. `settle`, where there is one, is called by whoever writes,
  // right before; no byte of the line is written if it fails.
  void Answer(std::string_view line, Settle settle = nullptr);
  void Flush();  // what all threads hold

  class Holding;
  struct Room;
  bool broken() const;  // nobody reads any more

 private:
  struct Unsettled {
    std::size_t begin;
    std::size_t size;
    Settle settle;
  };
  struct Lines {
    std::string text;
    std::vector<Unsettled> unsettled;

    void Add(std::string_view line, Settle settle);
    // Whatever fails has been replaced by what is sent instead.
    void SettleAll();
  };

  Holding* OwnHolding() const;
  // What it holds, as if it had just been written; keeps its room.
  void Deliver(Holding& holding);
  void Deliver(Lines& going);
  // Takes the place of `text` for what is empty, once there is room for it.
  void Send(std::string& text);
  // Writes what waits, unless somebody is at it.
  void WriteOut(std::unique_lock<std::mutex>& lock);

  LineStream& stream_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Holding*> holdings_;
  std::string waiting_;
  std::string going_;  // of whoever writes; both keep their room, in turns
  bool writing_ = false;
  bool broken_ = false;

  std::mutex flush_mutex_;      // before mutex_
  std::vector<Lines> flushed_;  // of who flushes; empty, but for their room
};

// Where a thread's holdings have their lines, one after the other: memory that is used again.
struct LineWriter::Room {
  Lines held;
  Lines going;
};

// For a thread that has several answers to give one after the other. One at a time; they
// stay with the thread, so that few of them meet at the writer.
class LineWriter::Holding {
 public:
  // `room` must outlive it.
  Holding(LineWriter& writer, Room& room);
  ~Holding();
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  friend class LineWriter;
  LineWriter& writer_;
  std::mutex mutex_;  // of room_.held: others may flush it
  Room& room_;
};

}  // namespace cordon::mcp
