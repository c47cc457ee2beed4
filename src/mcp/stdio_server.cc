#include "mcp/stdio_server.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mcp/line_client.h"
#include "mcp/line_reader.h"
#include "mcp/line_writer.h"

namespace cordon::mcp {
namespace {

// How long what runs may go on when the input has ended: who pipes requests into us wants
// their answers, but nobody waits for ever.
constexpr std::chrono::seconds kGrace{5};
// While a request runs, the next line can wait a moment: most end sooner, and waking another
// thread would cost more than it brings. It cannot wait longer, because it may be what the
// request waits for.
constexpr std::chrono::milliseconds kMoment{1};
constexpr std::size_t kKeptLine = std::size_t{1} << 20;
constexpr std::size_t kFreeLine = std::size_t{64} << 10;  // not counted

// Threads that take turns at reading: whoever has read a request runs it, and the next
// one reads. One thread more than requests may run, so that somebody always reads: what
// a running request waits for may be the next line.
class Crew {
 public:
  Crew(Service& service, Hub& hub, LineStream& stream, const StdioLimits& limits)
      : limits_(limits),
        reader_(stream, limits.line),
        writer_(stream),
        client_(service, hub, writer_) {}

  Status Serve();

 private:
  void Work();
  // With what it counts in `held_`, as long as it lives.
  struct Waiting {
    Job job;
    std::shared_ptr<void> share;
  };
  // The next job for this thread; nothing when there will be none.
  std::optional<Waiting> Next();
  // Reads one line and queues what is to be run. `reading_` is this thread's.
  void ReadOne();
  // `size`: of the line they came in.
  void Queue(std::vector<Job> jobs, std::size_t size);
  // Somebody else goes on reading. With the mutex held.
  void Relieve();
  bool busy() const { return running_ > 0; }

  const StdioLimits limits_;
  LineReader reader_;
  LineWriter writer_;
  LineClient client_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  std::atomic<std::size_t> held_ = 0;
  std::vector<std::thread> threads_;
  std::size_t running_ = 0;
  std::size_t idle_ = 0;
  std::size_t watching_ = 0;  // for a moment, before they read
  bool reading_ = false;
  bool ended_ = false;
  Status status_;
};

void Crew::Relieve() {
  if (ended_ || watching_ > 0) return;
  if (idle_ > 0) {
    changed_.notify_one();
  } else if (threads_.size() < limits_.running) {
    threads_.emplace_back([this] { Work(); });
  }
}

void Crew::Queue(std::vector<Job> jobs, std::size_t size) {
  const std::size_t counted = size > kFreeLine ? size - kFreeLine : 0;
  const std::size_t before = held_.fetch_add(counted);
  const std::shared_ptr<void> share(nullptr, [this, counted](void*) { held_ -= counted; });
  const bool fits = counted == 0 || before == 0 || before + counted <= limits_.held;
  std::vector<Job> refused;
  {
    const std::lock_guard lock(mutex_);
    for (Job& job : jobs) {
      if (fits && queue_.size() < limits_.waiting) {
        queue_.push_back({std::move(job), share});
      } else {
        refused.push_back(std::move(job));
      }
    }
  }
  for (const Job& job : refused) job.refuse();
}

void Crew::ReadOne() {
  thread_local std::string line;
  const Result<LineReader::Outcome> read = reader_.Next(line);
  if (read && *read == LineReader::Outcome::kLine) Queue(client_.Accept(line), line.size());
  if (read && *read == LineReader::Outcome::kTooLong) client_.RefuseLine();
  if (line.capacity() > kKeptLine) line = std::string();
  const bool over = !read || *read == LineReader::Outcome::kEnd || writer_.broken();
  if (over) client_.EndInput();
  const std::lock_guard lock(mutex_);
  reading_ = false;
  if (!read) status_ = read.error();
  if (!over) return;
  ended_ = true;
  changed_.notify_all();
}

std::optional<Crew::Waiting> Crew::Next() {
  std::unique_lock lock(mutex_);
  bool waited = false;
  for (;;) {
    if (!queue_.empty() && running_ < limits_.running) {
      Waiting next = std::move(queue_.front());
      queue_.pop_front();
      ++running_;
      Relieve();
      return next;
    }
    if (ended_) return std::nullopt;
    if (!reading_ && watching_ == 0 && busy() && !waited) {
      ++watching_;
      changed_.wait_for(lock, kMoment);
      --watching_;
      waited = true;
      continue;
    }
    if (!reading_ && (waited || watching_ == 0 || !busy())) {
      waited = false;
      reading_ = true;
      lock.unlock();
      ReadOne();
      lock.lock();
      continue;
    }
    ++idle_;
    changed_.wait(lock);
    --idle_;
  }
}

void Crew::Work() {
  while (std::optional<Waiting> next = Next()) {
    next->job.run();
    next.reset();
    const std::lock_guard lock(mutex_);
    --running_;
    if (ended_) changed_.notify_all();
  }
}

Status Crew::Serve() {
  Work();
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kGrace, [&] { return running_ == 0 && queue_.empty(); });
  }
  client_.Close();
  for (std::thread& thread : threads_) thread.join();  // none is added any more
  return status_;
}

}  // namespace

Status ServeLines(Service& service, Hub& hub, LineStream& stream, const StdioLimits& limits) {
  Crew crew(service, hub, stream, limits);
  return crew.Serve();
}

}  // namespace cordon::mcp
