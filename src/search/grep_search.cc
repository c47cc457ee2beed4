#include "search/grep_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/try.h"

namespace cordon::search {
namespace {

using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchFile;
using confine::SearchNote;
using platform::FileType;

std::string Joined(std::string_view directory, std::string_view name) {
  std::string path;
  path.reserve(directory.size() + 1 + name.size());
  path += directory;
  if (!path.empty()) path += '/';
  path += name;
  return path;
}

std::size_t Sum(std::size_t a, std::size_t b) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  return a > kMost - b ? kMost : a + b;
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const SearchFile& file) : file_(file) {}
  Result<std::size_t> Fill(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      TRY_ASSIGN(const std::size_t count, file_.Read(buffer.subspan(filled)));
      filled += count;
      read_ += count;
      // The end, or a file as long as it was when it was opened: no need to ask again.
      if (count == 0 || (filled < buffer.size() && read_ == file_.size())) break;
    }
    return filled;
  }
  std::uint64_t read() const { return read_; }

 private:
  const SearchFile& file_;
  std::uint64_t read_ = 0;
};

Wanted WantedFor(GrepOutput output) {
  switch (output) {
    case GrepOutput::kFiles: return Wanted::kFirstMatch;
    case GrepOutput::kCount: return Wanted::kCount;
    case GrepOutput::kLines: break;
  }
  return Wanted::kLines;
}

// Leaves of `lines` those of the matches numbered [begin, end), and their context.
void Cut(FileHits& hits, std::uint64_t begin, std::uint64_t end, std::size_t context) {
  if (begin == 0 && end >= hits.matches) return;
  std::vector<std::uint64_t> kept;  // numbers of lines that match
  std::uint64_t match = 0;
  for (const ToldLine& line : hits.lines) {
    if (line.kind != ToldLine::Kind::kMatch) continue;
    if (match >= begin && match < end) kept.push_back(line.number);
    ++match;
  }
  const auto near = [&](const ToldLine& line) {
    const auto after = std::lower_bound(kept.begin(), kept.end(), line.number);
    if (line.kind == ToldLine::Kind::kMatch) return after != kept.end() && *after == line.number;
    if (after != kept.end() && *after - line.number <= context) return true;
    return after != kept.begin() && line.number - *(after - 1) <= context;
  };
  std::erase_if(hits.lines, [&](const ToldLine& line) { return !near(line); });
  hits.more = hits.more || end < hits.matches;
  hits.matches = kept.size();
}

}  // namespace

Result<std::unique_ptr<GrepSearch>> GrepSearch::Make(const GrepTerms& terms) {
  TRY_ASSIGN(Matcher matcher, Matcher::Compile(terms.pattern, terms.pattern_terms));
  TRY_ASSIGN(Selection selection, Selection::Compile(terms.selection));
  return std::unique_ptr<GrepSearch>(
      new GrepSearch(terms, std::move(matcher), std::move(selection)));
}

GrepSearch::GrepSearch(GrepTerms terms, Matcher matcher, Selection selection)
    : terms_(std::move(terms)),
      wanted_(Sum(Sum(terms_.offset, terms_.limit), 1)),
      matcher_(std::move(matcher)),
      selection_(std::move(selection)),
      searchers_(kMostWorkers) {}

std::shared_ptr<const SearchNote> GrepSearch::PassThrough(const SearchDirectory& directory,
                                                          std::shared_ptr<const SearchNote> above) {
  return selection_.NoteAbove(directory, std::move(above));
}

std::shared_ptr<const SearchNote> GrepSearch::Enter(std::size_t /*worker*/,
                                                    const SearchDirectory& directory,
                                                    std::shared_ptr<const SearchNote> above,
                                                    std::span<SearchEntry> entries) {
  auto note = selection_.NoteOf(directory, std::move(above), entries);
  selection_.Choose(directory, note.get(), entries);
  for (SearchEntry& entry : entries) {
    const bool readable = entry.type == FileType::kRegular || entry.type == FileType::kDirectory;
    if (!readable) entry.choice = confine::SearchChoice::kPassOver;
  }
  return note;
}

LineSearch& GrepSearch::SearcherOf(std::size_t worker) {
  auto& searcher = searchers_[worker];
  if (!searcher) {
    LineTerms line_terms;
    line_terms.wanted = WantedFor(terms_.output);
    line_terms.before = line_terms.after = terms_.context;
    line_terms.max_characters = terms_.max_characters;
    if (terms_.output == GrepOutput::kLines) line_terms.max_matches = wanted_;
    searcher = std::make_unique<LineSearch>(matcher_.Clone(), line_terms);
  }
  return *searcher;
}

void GrepSearch::Visit(std::size_t worker, const SearchDirectory& directory,
                       const SearchEntry& entry) {
  if (enough_.load(std::memory_order_relaxed) && !Wants(directory.path(), entry.name)) return;
  const auto file = directory.Open(entry.name);
  if (!file) {
    unreadable_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  FileSource source(*file);
  auto hits = SearcherOf(worker).Run(source);
  searched_.fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(source.read(), std::memory_order_relaxed);
  if (!hits) {
    unreadable_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (hits->matches > 0) Add(Joined(directory.path(), entry.name), std::move(*hits));
}

std::uint64_t GrepSearch::WeightOf(const FileHits& hits) const {
  return terms_.output == GrepOutput::kLines ? hits.matches : 1;
}

void GrepSearch::Add(std::string path, FileHits hits) {
  const std::lock_guard lock(mutex_);
  if (enough_.load(std::memory_order_relaxed) && IsBeyond(path)) return;
  weight_ += WeightOf(hits);
  found_.emplace(std::move(path), std::move(hits));
  // What comes last is dropped as long as enough is left without it.
  while (!found_.empty()) {
    const auto last = std::prev(found_.end());
    const std::uint64_t weight = WeightOf(last->second);
    if (weight_ - weight < wanted_) break;
    weight_ -= weight;
    found_.erase(last);
  }
  if (weight_ >= wanted_) {
    last_ = found_.rbegin()->first;
    enough_.store(true, std::memory_order_relaxed);
  }
}

bool GrepSearch::IsBeyond(std::string_view path) const { return ComparePaths(path, last_) > 0; }

bool GrepSearch::Wants(std::string_view directory, std::string_view name) const {
  if (!enough_.load(std::memory_order_relaxed)) return true;
  const std::string path = Joined(directory, name);
  const std::lock_guard lock(mutex_);
  // A directory is before all that is in it, so this errs towards true.
  return !IsBeyond(path);
}

GrepAnswer GrepSearch::Take() {
  GrepAnswer answer;
  answer.searched = searched_.load();
  answer.unreadable = unreadable_.load();
  answer.bytes = bytes_.load();
  const std::lock_guard lock(mutex_);
  std::uint64_t passed = 0;
  const std::uint64_t end = Sum(terms_.offset, terms_.limit);
  answer.files.reserve(found_.size());
  while (!found_.empty()) {
    auto file = found_.extract(found_.begin());
    FileHits& hits = file.mapped();
    const std::uint64_t weight = WeightOf(hits);
    const std::uint64_t begins = passed;
    passed += weight;
    if (passed > end) answer.more = true;
    if (passed <= terms_.offset || begins >= end) continue;
    if (terms_.output == GrepOutput::kLines) {
      Cut(hits, terms_.offset > begins ? terms_.offset - begins : 0, std::min(weight, end - begins),
          terms_.context);
    }
    answer.told += WeightOf(hits);
    answer.files.push_back({std::move(file.key()), std::move(hits)});
  }
  return answer;
}

}  // namespace cordon::search
