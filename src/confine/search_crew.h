// The workers of one search and what is still to be done; for the files of this room only.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "confine/search_directory.h"

namespace cordon::confine {

// Work is taken from the end of one shared list, onto which each directory puts what it
// holds, last entry first: so the workers go through the tree nearly in its order, and
// what waits is about one directory per level.
class SearchCrew {
 public:
  SearchCrew(SearchScope& scope, SearchVisitor& visitor) : scope_(scope), visitor_(visitor) {}

  // Searches `start`, listed or not, and everything below; returns when all is done.
  SearchOutcome Run(std::shared_ptr<HeldDirectory> start,
                    const std::shared_ptr<const SearchNote>& above);

 private:
  // A sub-directory to be gone into, or files to be visited.
  struct Work {
    std::shared_ptr<HeldDirectory> directory;
    std::size_t begin = 0, end = 0;  // of its entries
  };

  void Serve(std::size_t worker);
  void Do(std::size_t worker, const Work& work, std::vector<char>& buffer);
  void GoInto(std::size_t worker, const Work& work, std::vector<char>& buffer);
  void Look(std::size_t worker, const std::shared_ptr<HeldDirectory>& directory,
            std::shared_ptr<const SearchNote> above, std::vector<char>& buffer);
  // Hands out what was taken of a directory.
  void Share(const std::shared_ptr<HeldDirectory>& directory);
  void Fail(std::string path, const Error& error);
  bool Stopping() const;

  SearchScope& scope_;
  SearchVisitor& visitor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Work> waiting_;  // guarded by mutex_, as are the next two
  std::size_t busy_ = 0;
  SearchOutcome outcome_;
  std::atomic<std::uint64_t> seen_{0};
  std::atomic<std::uint64_t> directories_{0};
  std::atomic<bool> limited_{false};
};

}  // namespace cordon::confine
