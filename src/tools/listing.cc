#include "tools/listing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/try.h"
#include "search/glob.h"

namespace cordon::tools {
namespace {

using confine::WalkStep;
using platform::FileType;

struct Node {
  ListedEntry entry;
  std::vector<std::size_t> below;  // indices of nodes
};

// Of a name, or of a path: whatever has a slash.
struct Ignored {
  search::Glob glob;
  enum class Of { kName, kPath };
  Of of = Of::kName;
};

Result<std::vector<Ignored>> CompileAll(const std::vector<std::string>& texts) {
  std::vector<Ignored> ignored;
  for (std::string_view text : texts) {
    if (text.ends_with('/')) text.remove_suffix(1);
    const auto of = text.find('/') == text.npos ? Ignored::Of::kName : Ignored::Of::kPath;
    if (text.starts_with('/')) text.remove_prefix(1);
    TRY_ASSIGN(search::Glob glob, search::Glob::Compile(text));
    ignored.push_back({std::move(glob), of});
  }
  return ignored;
}

// Collects what is within the depth, and counts what is right below it.
class Collector {
 public:
  Collector(const ListingRequest& request, const std::vector<Ignored>& ignore,
            const std::optional<search::Glob>& match)
      : request_(request), ignore_(ignore), match_(match) {}

  WalkStep Visit(const confine::WalkEntry& entry) {
    const std::string_view path = entry.path;
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
    for (const Ignored& ignored_one : ignore_) {
      if (!ignored_one.glob.Matches(ignored_one.of == Ignored::Of::kName ? name : path)) continue;
      ++ignored;
      return WalkStep::kSkipBelow;
    }
    const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
    Node* const parent = slash == path.npos ? nullptr : Find(path.substr(0, slash));
    if (depth > request_.depth) {
      if (parent != nullptr) ++parent->entry.left_out;
      return WalkStep::kSkipBelow;
    }
    if (match_ && !match_->Matches(path)) {
      if (entry.stat.type != FileType::kDirectory || match_->MayMatchBelow(path)) {
        return WalkStep::kContinue;
      }
      return WalkStep::kSkipBelow;
    }
    (parent == nullptr ? top : parent->below).push_back(nodes.size());
    if (entry.stat.type == FileType::kDirectory) by_path_.emplace(path, nodes.size());
    nodes.push_back({{std::string(path), entry.stat, 0}, {}});
    return WalkStep::kContinue;
  }

  std::vector<Node> nodes;
  std::vector<std::size_t> top;
  std::size_t ignored = 0;

 private:
  Node* Find(std::string_view path) {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : &nodes[found->second];
  }

  const ListingRequest& request_;
  const std::vector<Ignored>& ignore_;
  const std::optional<search::Glob>& match_;
  std::map<std::string, std::size_t, std::less<>> by_path_;
};

bool ComesBefore(const ListedEntry& a, const ListedEntry& b, ListingRequest::Sort sort) {
  if (sort == ListingRequest::Sort::kModified && a.stat.modified_ns != b.stat.modified_ns) {
    return a.stat.modified_ns > b.stat.modified_ns;
  }
  if (sort == ListingRequest::Sort::kSize && a.stat.size != b.stat.size) {
    return a.stat.size > b.stat.size;
  }
  const bool a_holds = a.stat.type == FileType::kDirectory;
  const bool b_holds = b.stat.type == FileType::kDirectory;
  if (sort == ListingRequest::Sort::kName && a_holds != b_holds) return a_holds;
  return a.path < b.path;
}

// Without recursion: a tree may be as deep as it likes.
void Flatten(Collector& collector, const ListingRequest& request, Listing& listing) {
  const auto sorted = [&](std::vector<std::size_t> level) {
    std::sort(level.begin(), level.end(), [&](std::size_t a, std::size_t b) {
      return ComesBefore(collector.nodes[a].entry, collector.nodes[b].entry, request.sort);
    });
    std::reverse(level.begin(), level.end());
    return level;
  };
  std::vector<std::size_t> pending = sorted(collector.top);
  while (!pending.empty() && listing.entries.size() < request.limit) {
    Node& node = collector.nodes[pending.back()];
    pending.pop_back();
    const auto below = sorted(node.below);
    pending.insert(pending.end(), below.begin(), below.end());
    listing.entries.push_back(std::move(node.entry));
  }
}

}  // namespace

Attempt<Listing> ListTree(Context& context, const ListingRequest& request) {
  TRY_ASSIGN(const auto ignore, CompileAll(request.ignore));
  std::optional<search::Glob> match;
  if (!request.match.empty()) {
    TRY_ASSIGN(match, search::Glob::Compile(request.match));
  }
  Collector collector(request, ignore, match);
  confine::WalkLimits limits;
  limits.max_entries = kMaxCounted;
  TRY(context.guard.Walk(context.call, request.path, limits,
                         [&](const confine::WalkEntry& entry) { return collector.Visit(entry); }));
  Listing listing;
  listing.total = collector.nodes.size();
  listing.ignored = collector.ignored;
  Flatten(collector, request, listing);
  return listing;
}

}  // namespace cordon::tools
