// A search for names through a whole tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "confine/search_visitor.h"
#include "search/glob.h"
#include "search/selection.h"

namespace cordon::search {

enum class GlobOrder { kNewestFirst, kPath };

struct GlobTerms {
  std::string pattern;  // of the path below the start
  SelectionTerms selection;
  GlobOrder order = GlobOrder::kNewestFirst;
  std::size_t limit = 1000;
  std::string after = {};  // only what comes behind this path; for kPath
};

struct GlobFound {
  std::string path;              // below the start
  std::int64_t modified_ns = 0;  // when ordered by it
  platform::FileType type = platform::FileType::kUnknown;
};

struct GlobAnswer {
  std::vector<GlobFound> found;
  std::uint64_t matched = 0;  // limit or not
};

// Finds files and links, which are not followed; directories only as ways.
// Guarantees: the same answer for the same tree.
// Thread safety: as SearchVisitor; Take when the search is over.
class GlobSearch final : public confine::SearchVisitor {
 public:
  // Errors: kInvalidArguments.
  static Result<std::unique_ptr<GlobSearch>> Make(const GlobTerms& terms);

  std::shared_ptr<const confine::SearchNote> PassThrough(
      const confine::SearchDirectory& directory,
      std::shared_ptr<const confine::SearchNote> above) override;
  std::shared_ptr<const confine::SearchNote> Enter(
      std::size_t worker, const confine::SearchDirectory& directory,
      std::shared_ptr<const confine::SearchNote> above,
      std::span<confine::SearchEntry> entries) override;
  void Visit(std::size_t worker, const confine::SearchDirectory& directory,
             const confine::SearchEntry& entry) override;
  bool Wants(std::string_view directory, std::string_view name) const override;

  // For progress; may be called while the search runs.
  std::uint64_t matched() const { return matched_.load(std::memory_order_relaxed); }
  GlobAnswer Take();

 private:
  GlobSearch(GlobTerms terms, Glob glob, Selection selection);
  void Keep(std::size_t worker, const confine::SearchDirectory& directory,
            const confine::SearchEntry& entry, std::string path);

  static constexpr std::size_t kMostWorkers = 64;

  const GlobTerms terms_;
  const Glob glob_;
  const Selection selection_;
  std::vector<std::vector<GlobFound>> found_;  // by worker
  std::atomic<std::uint64_t> matched_{0};
};

}  // namespace cordon::search
