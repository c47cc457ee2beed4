#include "search/glob_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "search/path_order.h"

namespace cordon::search {
namespace {

using confine::SearchChoice;
using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchNote;
using platform::FileType;

bool Before(const GlobFound& a, const GlobFound& b, GlobOrder order) {
  if (order == GlobOrder::kNewestFirst && a.modified_ns != b.modified_ns) {
    return a.modified_ns > b.modified_ns;
  }
  return ComparePaths(a.path, b.path) < 0;
}

}  // namespace

Result<std::unique_ptr<GlobSearch>> GlobSearch::Make(const GlobTerms& terms) {
  TRY_ASSIGN(Glob glob, Glob::Compile(terms.pattern));
  TRY_ASSIGN(Selection selection, Selection::Compile(terms.selection));
  return std::unique_ptr<GlobSearch>(new GlobSearch(terms, std::move(glob), std::move(selection)));
}

GlobSearch::GlobSearch(GlobTerms terms, Glob glob, Selection selection)
    : terms_(std::move(terms)),
      glob_(std::move(glob)),
      selection_(std::move(selection)),
      found_(kMostWorkers) {}

std::shared_ptr<const SearchNote> GlobSearch::PassThrough(const SearchDirectory& directory,
                                                          std::shared_ptr<const SearchNote> above) {
  return selection_.NoteAbove(directory, std::move(above));
}

std::shared_ptr<const SearchNote> GlobSearch::Enter(std::size_t worker,
                                                    const SearchDirectory& directory,
                                                    std::shared_ptr<const SearchNote> above,
                                                    std::span<SearchEntry> entries) {
  auto note = selection_.NoteOf(directory, std::move(above), entries);
  selection_.Choose(directory, note.get(), entries);
  std::string path(directory.path());
  if (!path.empty()) path += '/';
  const std::size_t prefix = path.size();
  for (SearchEntry& entry : entries) {
    if (entry.choice == SearchChoice::kPassOver) continue;
    path.resize(prefix);
    path += entry.name;
    if (entry.type == FileType::kDirectory) {
      if (!glob_.MayMatchBelow(path)) entry.choice = SearchChoice::kPassOver;
      continue;
    }
    // Kept here and now: handing it on would cost more than looking.
    entry.choice = SearchChoice::kPassOver;
    if (glob_.Matches(path)) Keep(worker, directory, entry, path);
  }
  return note;
}

void GlobSearch::Visit(std::size_t worker, const SearchDirectory& directory,
                       const SearchEntry& entry) {
  std::string path(entry.name);
  if (glob_.Matches(path)) Keep(worker, directory, entry, std::move(path));
}

void GlobSearch::Keep(std::size_t worker, const SearchDirectory& directory,
                      const SearchEntry& entry, std::string path) {
  if (!terms_.after.empty() && ComparePaths(path, terms_.after) <= 0) return;
  GlobFound found{std::move(path), 0, entry.type};
  if (terms_.order == GlobOrder::kNewestFirst) {
    const auto stat = directory.Stat(entry.name);
    if (!stat) return;  // gone meanwhile
    found.modified_ns = stat->modified_ns;
  }
  found_[worker].push_back(std::move(found));
  matched_.fetch_add(1, std::memory_order_relaxed);
}

bool GlobSearch::Wants(std::string_view /*directory*/, std::string_view /*name*/) const {
  return true;
}

GlobAnswer GlobSearch::Take() {
  GlobAnswer answer;
  answer.matched = matched_.load();
  answer.found.reserve(answer.matched);
  for (std::vector<GlobFound>& found : found_) {
    std::move(found.begin(), found.end(), std::back_inserter(answer.found));
    found.clear();
  }
  const auto before = [this](const GlobFound& a, const GlobFound& b) {
    return Before(a, b, terms_.order);
  };
  if (terms_.limit < answer.found.size()) {
    const auto end = answer.found.begin() + static_cast<std::ptrdiff_t>(terms_.limit);
    std::nth_element(answer.found.begin(), end, answer.found.end(), before);
    answer.found.erase(end, answer.found.end());
  }
  std::sort(answer.found.begin(), answer.found.end(), before);
  return answer;
}

}  // namespace cordon::search
