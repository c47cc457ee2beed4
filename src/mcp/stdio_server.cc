#include "mcp/stdio_server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/brief_lock.h"
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
// request waits for; unless so many have ended meanwhile that the next line's turn is near.
constexpr std::chrono::milliseconds kMoment{1};
constexpr std::size_t kBrisk = 8;
// So many that wait are worth waking another thread at once, if it has a processor to run on.
constexpr std::size_t kPlenty = 8;
// So many lines are read before the first of them is run, if they are there already.
constexpr std::size_t kMostLines = 16;
constexpr std::size_t kKeptLine = std::size_t{1} << 20;
constexpr std::size_t kFreeLine = std::size_t{64} << 10;  // not counted

// Threads that take turns at reading: whoever has read requests runs them one after the
// other, because what changes hands costs more, and writes their answers together; another one
// watches, and takes over what is left and the reading when one takes long, or reads on when there
// is much. One thread more than requests may run, so that somebody always reads: what a running
// request waits for may be the next line.
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
  // How a thread comes to Next.
  struct Turn {
    bool runs = false;        // it has run a job, and is still counted in running_
    bool ready = false;       // it need not watch before it takes a job, or reads
    std::deque<Waiting> own;  // what it has read, and runs itself if it gets on
    std::size_t ended = 0;    // jobs
    std::size_t seen = 0;     // of these, by who watches
    LineWriter::Room room;
    std::optional<LineWriter::Holding> holding;  // in it
  };
  // The next job for this thread; nothing when there will be none.
  std::optional<Waiting> Next(Turn& turn);
  // Where that is; null when there is none, or the thread had better read.
  std::deque<Waiting>* Source(Turn& turn);
  // Lets anybody run what this thread has read.
  void Leave(Turn& turn);
  // Takes from those that did not get on since the last look what waits for them.
  void RelieveSlow();
  // Until what runs does not get on, or has ended.
  void Watch(std::unique_lock<std::mutex>& lock);
  // Writes what it holds, or else is no longer counted as running: who writes may wait for a
  // client that waits to be read.
  void EndTurn(std::unique_lock<std::mutex>& lock, Turn& turn);
  // Reads what lines there are, one at least and `most` at most, and queues what is to be run.
  // `reading_` is this thread's.
  void ReadSome(Turn& turn, std::size_t most);
  // `size`: of the line they came in. None of them is left in `jobs`.
  void Queue(Turn& turn, std::vector<Job>& jobs, std::size_t size);
  // Somebody else goes on reading. With the mutex held.
  void Relieve();
  bool busy() const { return running_ > 0; }
  bool plenty() const { return waiting_ >= kPlenty && running_ < processors_; }

  const StdioLimits limits_;
  const std::size_t processors_ = std::max(1U, std::thread::hardware_concurrency());
  LineReader reader_;
  LineWriter writer_;
  LineClient client_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Turn*> turns_;  // of all threads
  std::deque<Waiting> left_;  // by those who take long
  std::size_t waiting_ = 0;   // there and with all threads
  std::atomic<std::size_t> held_ = 0;
  std::vector<std::thread> threads_;
  std::size_t running_ = 0;
  std::size_t ended_jobs_ = 0;
  std::size_t idle_ = 0;
  std::size_t watching_ = 0;  // for a moment, before they read
  bool called_ = false;       // one that is idle, and has not come yet
  bool reading_ = false;
  bool has_line_ = false;  // the reader, without waiting
  bool ended_ = false;
  Status status_;
};

void Crew::Relieve() {
  if (ended_ || watching_ > 0) return;
  if (idle_ > 0) {
    if (!called_) changed_.notify_one();
    called_ = true;
  } else if (threads_.size() < limits_.running) {
    threads_.emplace_back([this] { Work(); });
  }
}

void Crew::Queue(Turn& turn, std::vector<Job>& jobs, std::size_t size) {
  const std::size_t counted = size > kFreeLine ? size - kFreeLine : 0;
  const std::size_t before = counted == 0 ? 0 : held_.fetch_add(counted);
  std::shared_ptr<void> share;
  if (counted > 0) share.reset(this, [this, counted](void*) { held_ -= counted; });
  const bool fits = counted == 0 || before == 0 || before + counted <= limits_.held;
  std::vector<Job> refused;
  {
    const auto lock = LockBriefly(mutex_);
    for (Job& job : jobs) {
      if (fits && waiting_ < limits_.waiting) {
        turn.own.push_back({std::move(job), share});
        ++waiting_;
      } else {
        refused.push_back(std::move(job));
      }
    }
  }
  for (const Job& job : refused) job.refuse();
  jobs.clear();
}

void Crew::ReadSome(Turn& turn, std::size_t most) {
  thread_local std::string line;  // both keep their memory
  thread_local std::vector<Job> jobs;
  bool over = writer_.broken();  // there may be no other line to find it out by
  bool more = true;
  for (std::size_t lines = 0; more && !over && lines < most; ++lines) {
    const Result<LineReader::Outcome> read = reader_.Next(line);
    if (read && *read == LineReader::Outcome::kLine) {
      client_.Accept(line, jobs);
      Queue(turn, jobs, line.size());
    }
    if (read && *read == LineReader::Outcome::kTooLong) client_.RefuseLine();
    if (line.capacity() > kKeptLine) line = std::string();
    over = !read || *read == LineReader::Outcome::kEnd || writer_.broken();
    more = reader_.HasNext();
    if (read) continue;
    const std::lock_guard lock(mutex_);
    status_ = read.error();
  }
  if (over) client_.EndInput();
  const std::lock_guard lock(mutex_);
  reading_ = false;
  has_line_ = more;
  if (plenty()) changed_.notify_one();
  if (!over) return;
  ended_ = true;
  changed_.notify_all();
}

void Crew::Leave(Turn& turn) {
  std::move(turn.own.begin(), turn.own.end(), std::back_inserter(left_));
  turn.own.clear();
}

void Crew::RelieveSlow() {
  for (Turn* const turn : turns_) {
    if (turn->runs && turn->ended == turn->seen) Leave(*turn);
    turn->seen = turn->ended;
  }
}

std::deque<Crew::Waiting>* Crew::Source(Turn& turn) {
  if (!turn.own.empty()) return &turn.own;
  if (!left_.empty()) return &left_;
  const bool may_read = has_line_ && !reading_ && !ended_ && waiting_ < limits_.waiting;
  if (may_read) return nullptr;
  const auto most =
      std::max_element(turns_.begin(), turns_.end(),
                       [](const Turn* a, const Turn* b) { return a->own.size() < b->own.size(); });
  return (*most)->own.empty() ? nullptr : &(*most)->own;
}

void Crew::Watch(std::unique_lock<std::mutex>& lock) {
  ++watching_;
  for (Turn* const turn : turns_) turn->seen = turn->ended;
  std::size_t seen = 0;
  do {
    seen = ended_jobs_;
    const bool woken = changed_.wait_for(lock, kMoment) == std::cv_status::no_timeout;
    if (plenty()) break;
    if (!woken) RelieveSlow();
    lock.unlock();
    writer_.Flush();  // what others hold while they run something long
    lock.lock();
  } while (!ended_ && ended_jobs_ - seen >= kBrisk);
  --watching_;
}

void Crew::EndTurn(std::unique_lock<std::mutex>& lock, Turn& turn) {
  if (turn.holding) {
    lock.unlock();
    turn.holding.reset();
    lock.lock();
    return;
  }
  turn.runs = turn.ready = false;
  --running_;
  if (ended_) changed_.notify_all();
}

std::optional<Crew::Waiting> Crew::Next(Turn& turn) {
  std::unique_lock lock = LockBriefly(mutex_);
  if (turn.runs) {
    ++ended_jobs_;
    ++turn.ended;
  }
  for (;;) {
    const bool others_run = !turn.runs && busy();
    if (others_run && !turn.ready && !plenty() && watching_ == 0 && !reading_ && !ended_) {
      Watch(lock);
      turn.ready = true;
      continue;
    }
    std::deque<Waiting>* const source =
        turn.runs || running_ < limits_.running ? Source(turn) : nullptr;
    if (source != nullptr) {
      Waiting next = std::move(source->front());
      source->pop_front();
      --waiting_;
      if (!turn.runs) ++running_;
      turn.runs = true;
      Relieve();
      return next;
    }
    Leave(turn);  // what it may not run itself
    if (turn.runs && (ended_ || reading_ || !has_line_)) {
      EndTurn(lock, turn);
      continue;
    }
    if (ended_) return std::nullopt;
    if (!reading_ && (turn.ready || !others_run || plenty())) {
      reading_ = true;
      // None more than can wait: only what runs long may have others refused.
      const std::size_t room = limits_.waiting - std::min(limits_.waiting, waiting_);
      lock.unlock();
      ReadSome(turn, std::clamp<std::size_t>(room, 1, kMostLines));
      lock.lock();
      turn.ready = true;
      continue;
    }
    ++idle_;
    changed_.wait(lock);
    --idle_;
    called_ = false;
    turn.ready = false;
  }
}

void Crew::Work() {
  Turn turn;
  {
    const std::lock_guard lock(mutex_);
    turns_.push_back(&turn);
  }
  while (std::optional<Waiting> next = Next(turn)) {
    if (!turn.holding) turn.holding.emplace(writer_, turn.room);
    next->job.run();
  }
  const std::lock_guard lock(mutex_);
  std::erase(turns_, &turn);
}

Status Crew::Serve() {
  Work();
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kGrace, [&] { return running_ == 0 && waiting_ == 0; });
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
