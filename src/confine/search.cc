// Root::Search.
#include "confine/search.h"

#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "confine/search_crew.h"
#include "path/posix.h"

namespace cordon::confine {
namespace {

using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

// Those on the way from the root to `last` (a true path below it), `last` left out.
std::vector<std::string> DirectoriesAbove(std::string_view last) {
  std::vector<std::string> above;
  if (last.empty()) return above;
  above.emplace_back();
  for (std::size_t at = last.find('/'); at != std::string_view::npos; at = last.find('/', at + 1)) {
    above.emplace_back(last.substr(0, at));
  }
  return above;
}

std::shared_ptr<const SearchNote> PassThrough(SearchScope& scope, SearchVisitor& visitor) {
  std::shared_ptr<const SearchNote> note;
  for (std::string& path : DirectoriesAbove(scope.base)) {
    auto opened = scope.OpenBelowRoot(path, OpenIntent::kListDirectory);
    if (!opened) continue;  // passable, but not to be listed
    HeldDirectory directory(scope, std::move(*opened), std::move(path),
                            HeldDirectory::Place::kAboveStart);
    directory.LookForRepository();
    note = visitor.PassThrough(directory, std::move(note));
  }
  return note;
}

}  // namespace

Result<SearchOutcome> Root::Search(std::string_view untrusted, const SearchTerms& terms,
                                   SearchVisitor& visitor,
                                   const std::function<Status(std::string_view)>& begin,
                                   const Expected& expected) const {
  if (state_->elsewhere) {
    return state_->elsewhere->Search(untrusted, terms, visitor, begin, expected);
  }
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  std::optional<Operation> also;
  if (terms.reach == SearchReach::kContents) also = Operation::kRead;
  Resolution resolution(*state_, Operation::kList, also);
  TRY_ASSIGN(
      const UniqueFd named,
      OrStale(expected, resolution.Open(request, OpenIntent::kReference, FinalSymlink::kFollow)));
  TRY(CheckDescriptor(expected, named.get()));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(named.get()));
  SearchScope scope{*state_, terms,
                    state_->options.mounts == policy::Mounts::kRefuse
                        ? platform::MountCrossing::kRefuse
                        : platform::MountCrossing::kAllow,
                    path::CollapseLexically(resolution.path())};
  std::string file;
  if (stat.type == FileType::kRegular) {
    TRY(CheckRegular(*state_, stat, WriteStyle::kNone));
    const std::size_t slash = scope.base.rfind('/');
    file = scope.base.substr(slash == std::string::npos ? 0 : slash + 1);
    scope.base.resize(slash == std::string::npos ? 0 : slash);
  } else if (stat.type != FileType::kDirectory) {
    return NotADirectoryError(path::TrimTrailing(request.text).text);
  }
  UniqueFd start;
  if (file.empty()) {
    TRY_ASSIGN(start, platform::ReopenDirectory(named.get()));
  } else {
    TRY_ASSIGN(start, scope.OpenBelowRoot(scope.base, OpenIntent::kListDirectory));
  }
  if (begin) TRY(begin(path::CollapseLexically(resolution.path())));
  auto directory = std::make_shared<HeldDirectory>(scope, std::move(start), std::string(),
                                                   HeldDirectory::Place::kBelowStart);
  std::shared_ptr<const SearchNote> above;
  if (file.empty()) {
    above = PassThrough(scope, visitor);
  } else {
    directory->Name(file, stat);
  }
  SearchOutcome outcome = SearchCrew(scope, visitor).Run(std::move(directory), above);
  if (!file.empty()) outcome.start = SearchOutcome::Start::kFile;
  return outcome;
}

}  // namespace cordon::confine
