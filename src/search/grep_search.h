// A search for lines through a whole tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "confine/search_visitor.h"
#include "search/line_search.h"
#include "search/path_order.h"
#include "search/selection.h"

namespace cordon::search {

enum class GrepOutput { kFiles, kLines, kCount };

struct GrepTerms {
  std::string pattern;
  PatternTerms pattern_terms;
  SelectionTerms selection;
  GrepOutput output = GrepOutput::kLines;
  std::size_t context = 0;
  // Of what the output counts: lines that match, or files.
  std::size_t offset = 0;
  std::size_t limit = 200;
  std::size_t max_characters = 2000;
};

struct GrepFile {
  std::string path;  // below the start
  FileHits hits;
};

struct GrepAnswer {
  // In the order of ComparePaths, without what `offset` skips and `limit` cuts off.
  std::vector<GrepFile> files;
  std::uint64_t told = 0;      // of what the output counts
  bool more = false;           // something was cut off
  std::uint64_t searched = 0;  // files looked into; not always the same where `more` is set
  std::uint64_t unreadable = 0;
  std::uint64_t bytes = 0;
};

// Guarantees: the same answer for the same tree, however the workers take turns. Once so
//   much was found that later paths cannot matter, they are left alone.
// Thread safety: as SearchVisitor; Take when the search is over.
class GrepSearch final : public confine::SearchVisitor {
 public:
  // Errors: kInvalidArguments.
  static Result<std::unique_ptr<GrepSearch>> Make(const GrepTerms& terms);

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
  std::uint64_t searched() const { return searched_.load(std::memory_order_relaxed); }
  GrepAnswer Take();

 private:
  GrepSearch(GrepTerms terms, Matcher matcher, Selection selection);
  LineSearch& SearcherOf(std::size_t worker);
  void Add(std::string path, FileHits hits);
  std::uint64_t WeightOf(const FileHits& hits) const;
  bool IsBeyond(std::string_view path) const;

  static constexpr std::size_t kMostWorkers = 64;

  const GrepTerms terms_;
  const std::size_t wanted_;  // offset + limit + 1: one more tells whether there is more
  const Matcher matcher_;
  const Selection selection_;
  std::vector<std::unique_ptr<LineSearch>> searchers_;  // by worker
  std::atomic<std::uint64_t> searched_{0}, unreadable_{0}, bytes_{0};

  mutable std::mutex mutex_;
  std::map<std::string, FileHits, PathLess> found_;
  std::uint64_t weight_ = 0;         // of found_
  std::atomic<bool> enough_{false};  // found_ has all that is wanted: see last_
  std::string last_;                 // nothing after this matters
};

}  // namespace cordon::search
