#include "confine/search_crew.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace cordon::confine {
namespace {

using platform::FileType;

constexpr std::size_t kListBuffer = 64 * 1024;
constexpr std::size_t kMostFilesAtOnce = 24;
constexpr std::size_t kMostFailuresTold = 20;
constexpr std::size_t kMostWorkers = 12;

std::size_t WorkersFor(const SearchTerms& terms) {
  if (terms.workers != 0) return std::min(terms.workers, kMostWorkers);
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return std::min(processors, kMostWorkers);
}

std::string Joined(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty()) path += '/';
  path += name;
  return path;
}

}  // namespace

bool SearchCrew::Stopping() const {
  return scope_.terms.stop.stop_requested() || limited_.load(std::memory_order_relaxed);
}

SearchOutcome SearchCrew::Run(std::shared_ptr<HeldDirectory> start,
                              const std::shared_ptr<const SearchNote>& above) {
  if (start->entries().empty()) {
    std::vector<char> buffer(kListBuffer);
    Look(0, start, above, buffer);
  } else {
    start->note = above;
    Share(start);
  }
  start.reset();
  std::vector<std::jthread> helpers;
  if (!waiting_.empty()) {
    try {
      for (std::size_t i = 1; i < WorkersFor(scope_.terms); ++i) {
        helpers.emplace_back([this, i] { Serve(i); });
      }
    } catch (const std::system_error&) {
      // No more threads to be had: those there are do the work.
    }
  }
  Serve(0);
  helpers.clear();
  outcome_.entries = seen_.load();
  outcome_.directories = directories_.load();
  outcome_.limited = limited_.load() || outcome_.limited;
  outcome_.stopped = scope_.terms.stop.stop_requested();
  return std::move(outcome_);
}

void SearchCrew::Serve(std::size_t worker) {
  std::vector<char> buffer(kListBuffer);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || busy_ == 0; });
    if (waiting_.empty()) return;
    Work work = std::move(waiting_.back());
    waiting_.pop_back();
    ++busy_;
    lock.unlock();
    try {
      if (!Stopping()) Do(worker, work, buffer);
    } catch (const std::exception&) {  // memory: nobody above a thread could catch it
      limited_ = true;
    }
    work = {};  // may close a directory: not under the lock
    lock.lock();
    if (--busy_ == 0 && waiting_.empty()) changed_.notify_all();
  }
}

void SearchCrew::Do(std::size_t worker, const Work& work, std::vector<char>& buffer) {
  HeldDirectory& directory = *work.directory;
  if (directory.entries()[work.begin].type == FileType::kDirectory) {
    GoInto(worker, work, buffer);
    return;
  }
  for (std::size_t i = work.begin; i < work.end && !Stopping(); ++i) {
    const SearchEntry& entry = directory.entries()[i];
    if (entry.choice == SearchChoice::kTake) visitor_.Visit(worker, directory, entry);
  }
}

void SearchCrew::GoInto(std::size_t worker, const Work& work, std::vector<char>& buffer) {
  const HeldDirectory& parent = *work.directory;
  const std::string_view name = work.directory->entries()[work.begin].name;
  if (!visitor_.Wants(parent.path(), name)) return;
  auto opened = parent.OpenDirectory(name);
  if (!opened) {
    const Error& error = opened.error();
    // Gone or swapped meanwhile, or another mount, which is passed over as by Walk.
    const bool passed_over = error.os_errno == ENOENT || error.os_errno == ENOTDIR ||
                             error.os_errno == ELOOP || error.os_errno == EXDEV ||
                             error.code == ErrorCode::kPathDenied;
    if (!passed_over) Fail(Joined(parent.path(), name), error);
    return;
  }
  if (parent.depth >= scope_.terms.max_depth) {
    const std::lock_guard lock(mutex_);
    outcome_.limited = true;
    return;
  }
  auto directory = std::make_shared<HeldDirectory>(
      scope_, std::move(*opened), Joined(parent.path(), name), HeldDirectory::Place::kBelowStart);
  directory->depth = parent.depth + 1;
  Look(worker, directory, parent.note, buffer);
}

void SearchCrew::Look(std::size_t worker, const std::shared_ptr<HeldDirectory>& directory,
                      std::shared_ptr<const SearchNote> above, std::vector<char>& buffer) {
  directories_.fetch_add(1, std::memory_order_relaxed);
  if (Status listed = directory->List(buffer, seen_); !listed) {
    Fail(std::string(directory->path()), listed.error());
    return;
  }
  if (seen_.load(std::memory_order_relaxed) > scope_.terms.max_entries) limited_ = true;
  directory->note = visitor_.Enter(worker, *directory, std::move(above), directory->entries());
  directory->KeepOrClose();
  Share(directory);
}

void SearchCrew::Share(const std::shared_ptr<HeldDirectory>& directory) {
  const std::span<SearchEntry> entries = directory->entries();
  std::vector<Work> found;
  std::size_t begin = 0;
  std::size_t taken = 0;
  const auto flush = [&](std::size_t end) {
    if (taken > 0) found.push_back({directory, begin, end});
    taken = 0;
    begin = end;
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].choice == SearchChoice::kPassOver) continue;
    if (entries[i].type == FileType::kDirectory) {
      flush(i);
      found.push_back({directory, i, i + 1});
      begin = i + 1;
      continue;
    }
    if (taken == 0) begin = i;
    if (++taken == kMostFilesAtOnce) flush(i + 1);
  }
  flush(entries.size());
  if (found.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), std::make_move_iterator(found.rbegin()),
                    std::make_move_iterator(found.rend()));
  }
  changed_.notify_all();
}

void SearchCrew::Fail(std::string path, const Error& error) {
  const std::lock_guard lock(mutex_);
  ++outcome_.failed;
  if (outcome_.failures.size() < kMostFailuresTold) {
    outcome_.failures.push_back({std::move(path), error.code});
  }
}

}  // namespace cordon::confine
