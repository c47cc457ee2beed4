// Root::Mkdir, MkdirAll and List.
#include "platform/directory.h"

#include <algorithm>
#include <cerrno>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "confine/visibility.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

constexpr std::size_t kMaxNameBytes = 255;
constexpr int kMaxAttempts = 16;

Status CheckDeniedText(const RootState& root, std::string_view text) {
  if (!root.options.deny) return {};
  const auto verdict = root.options.deny->Check(text, Operation::kMkdir);
  if (verdict.denied) return DeniedError(*verdict.denied);
  return {};
}

// What is made compares names as the directory it is made in.
Status CheckSuspects(const RootState& root, std::string_view text, int directory) {
  if (!root.options.deny) return {};
  const auto suspects = root.options.deny->Check(text, Operation::kMkdir).suspects;
  if (suspects.empty()) return {};
  const path::NameRules rules =
      NameRulesAt(root, directory) | NameRulesAt(root, root.directory.get());
  for (const auto& suspect : suspects) {
    if (Any(suspect.when & rules)) return DeniedError(suspect);
  }
  return {};
}

// Judges what is still to be made below `place` before anything is made, so that
// a refusal leaves nothing behind. No link can be there, but ".." could lead back
// to one: it is `missing`, as for every other operation.
Status CheckUnmade(const RootState& root, const Place& place, std::string_view rest,
                   const Error& missing) {
  const std::string whole = place.path + "/" + std::string(rest);
  TRY(CheckDeniedText(root, whole));
  TRY(CheckSuspects(root, whole, place.directory.get()));
  path::Components parts(rest);
  for (auto part = parts.Next(); !part.empty(); part = parts.Next()) {
    if (part == "..") {
      const bool leaves = path::Components(path::CollapseLexically(whole)).Next() == "..";
      return leaves ? OutsideError(Violation::kTraversal, part) : missing;
    }
    if (part.size() > kMaxNameBytes) return NameTooLongError(part);
  }
  return {};
}

std::vector<std::string_view> PrefixesOf(std::string_view text) {
  std::vector<std::string_view> prefixes;
  path::Components components(text);
  for (auto part = components.Next(); !part.empty(); part = components.Next()) {
    prefixes.push_back(
        text.substr(0, static_cast<std::size_t>(part.data() + part.size() - text.data())));
  }
  return prefixes;
}

Status CheckDirectory(const RootState& root, std::string_view text) {
  Resolution resolution(root, Operation::kMkdir);
  TRY(resolution.Open({text, true}, OpenIntent::kReference, FinalSymlink::kFollow));
  return {};
}

// How many prefixes exist as directories: where one is missing, so are all longer
// ones. Trying each in turn would take the square of the depth.
Result<std::size_t> CountExisting(const RootState& root,
                                  const std::vector<std::string_view>& prefixes) {
  if (CheckDirectory(root, prefixes.back())) return prefixes.size();
  std::size_t low = 0;
  std::size_t high = prefixes.size() - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (CheckDirectory(root, prefixes[middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const Status missing = CheckDirectory(root, prefixes[low]);
  if (!missing && missing.error().os_errno != ENOENT) return missing.error();
  return missing ? low + 1 : low;
}

// Makes `prefix`, of which only the last part is missing, and then the rest of
// `text` below it, each by the descriptor of the one before. Stops without an
// error where something else has come in between.
Status MakeBelow(const RootState& root, std::string_view prefix, std::string_view text,
                 std::uint32_t mode) {
  Error absent;
  if (Status found = CheckDirectory(root, prefix); !found) absent = std::move(found.error());
  Resolution missing(root, Operation::kMkdir);
  TRY_ASSIGN(Place place, missing.Locate({prefix, true}, FinalSymlink::kFollow));
  const std::string_view rest = text.substr(prefix.size());
  TRY(CheckUnmade(root, place, rest, absent));
  path::Components parts(rest);
  for (std::string name = place.name; !name.empty(); name = parts.Next()) {
    auto made = platform::MakeDirectory(place.directory.get(), name.c_str(), mode);
    if (!made) {
      if (made.error().os_errno == EEXIST) return {};
      return ExplainNotFound(root, std::move(made.error()));
    }
    auto next = platform::OpenEntry(place.directory.get(), name.c_str(), OpenIntent::kReference);
    if (!next) {
      if (next.error().os_errno == ENOENT) return {};
      return std::move(next.error());
    }
    TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(next->get()));
    if (stat.type != platform::FileType::kDirectory) return {};
    place.directory = std::move(*next);
  }
  return {};
}

}  // namespace

Status Root::Mkdir(std::string_view untrusted, std::uint32_t mode, const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Mkdir(untrusted, mode, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kMkdir));
  if (expected.presence == Presence::kPresent) return ExpectedInTheWay();
  Resolution resolution(*state_, Operation::kMkdir);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  auto made = platform::MakeDirectory(place.directory.get(), place.name.c_str(), mode);
  if (!made) return ExplainNotFound(*state_, std::move(made.error()));
  return {};
}

Status Root::MkdirExactly(std::string_view untrusted, std::uint32_t mode,
                          const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->MkdirExactly(untrusted, mode, expected);
  constexpr std::uint32_t kOwnerOnly = 0700;
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kMkdir));
  if (expected.presence == Presence::kPresent) return ExpectedInTheWay();
  Resolution resolution(*state_, Operation::kMkdir);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  auto made = platform::MakeDirectory(place.directory.get(), place.name.c_str(), kOwnerOnly);
  if (!made) return ExplainNotFound(*state_, std::move(made.error()));
  TRY_ASSIGN(
      const platform::UniqueFd directory,
      platform::OpenEntry(place.directory.get(), place.name.c_str(), OpenIntent::kListDirectory));
  return platform::SetMode(directory.get(), mode);
}

Status Root::MkdirAll(std::string_view untrusted, std::uint32_t mode) const {
  if (state_->elsewhere) return state_->elsewhere->MkdirAll(untrusted, mode);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kMkdir));
  TRY(CheckDeniedText(*state_, request.text));
  const std::vector<std::string_view> prefixes = PrefixesOf(request.text);
  std::size_t made = 0;  // so many of them are there
  // What another process takes away meanwhile is made again, but not for ever.
  for (int attempt = 0; made < prefixes.size() && attempt < kMaxAttempts; ++attempt) {
    TRY_ASSIGN(made, CountExisting(*state_, prefixes));
    if (made < prefixes.size()) TRY(MakeBelow(*state_, prefixes[made], request.text, mode));
  }
  // Someone else may have put something other than a directory there.
  Resolution check(*state_, Operation::kMkdir);
  TRY(check.Open({request.text, true}, OpenIntent::kReference, FinalSymlink::kFollow));
  return {};
}

Result<std::vector<DirectoryEntry>> Root::List(std::string_view untrusted, std::size_t limit,
                                               const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->List(untrusted, limit, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kList);
  TRY_ASSIGN(const platform::UniqueFd directory,
             OrStale(expected,
                     resolution.Open(request, OpenIntent::kListDirectory, FinalSymlink::kFollow)));
  TRY(CheckDescriptor(expected, directory.get()));
  const Visibility visibility(*state_, directory.get(), path::CollapseLexically(resolution.path()));
  std::vector<DirectoryEntry> entries;
  bool too_many = false;
  TRY(platform::ReadEntries(directory.get(), [&](std::string_view name, platform::FileType type) {
    if (!visibility.Shows(name)) return platform::ReadMore::kYes;
    too_many = entries.size() >= limit;
    if (too_many) return platform::ReadMore::kStop;
    entries.push_back({std::string(name), type});
    return platform::ReadMore::kYes;
  }));
  if (too_many) {
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.op = "list";
    error.detail = "the directory has more than " + std::to_string(limit) + " entries";
    return error;
  }
  for (DirectoryEntry& entry : entries) {
    if (entry.type != platform::FileType::kUnknown) continue;
    if (auto stat = platform::StatEntry(directory.get(), entry.name.c_str()))
      entry.type = stat->type;
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

}  // namespace cordon::confine
