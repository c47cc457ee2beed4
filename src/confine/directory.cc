// Root::Mkdir, MkdirAll and List.
#include "platform/directory.h"

#include <algorithm>
#include <cerrno>

#include "base/try.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/visibility.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

constexpr std::size_t kMaxNameBytes = 255;

Status CheckDeniedText(const RootState& root, std::string_view text) {
  if (!root.options.deny) return {};
  const auto verdict = root.options.deny->Check(text, Operation::kMkdir);
  if (verdict.denied) return DeniedError(*verdict.denied);
  return {};
}

// Judges what is still to be made below `place` before anything is made, so that
// a refusal leaves nothing behind. No link can be there, but ".." could lead back
// to one: it is `missing`, as for every other operation.
Status CheckUnmade(const RootState& root, const Place& place, std::string_view rest,
                   const Error& missing) {
  const std::string whole = place.path + "/" + std::string(rest);
  TRY(CheckDeniedText(root, whole));
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

}  // namespace

Status Root::Mkdir(std::string_view untrusted, std::uint32_t mode) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kMkdir));
  Resolution resolution(*state_, Operation::kMkdir);
  TRY_ASSIGN(const Place place, resolution.Locate(request, FinalSymlink::kNoFollow));
  auto made = platform::MakeDirectory(place.directory.get(), place.name.c_str(), mode);
  if (!made) return ExplainNotFound(*state_, std::move(made.error()));
  return {};
}

Status Root::MkdirAll(std::string_view untrusted, std::uint32_t mode) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kMkdir));
  TRY(CheckDeniedText(*state_, request.text));
  path::Components components(request.text);
  // Each prefix is resolved from the root again: what was made may have moved.
  for (auto part = components.Next(); !part.empty(); part = components.Next()) {
    const auto length = static_cast<std::size_t>(part.data() + part.size() - request.text.data());
    const path::Request prefix{request.text.substr(0, length), true};
    Resolution existing(*state_, Operation::kMkdir);
    auto found = existing.Open(prefix, OpenIntent::kReference, FinalSymlink::kFollow);
    if (found) continue;
    if (found.error().os_errno != ENOENT) return std::move(found.error());
    Resolution missing(*state_, Operation::kMkdir);
    TRY_ASSIGN(const Place place, missing.Locate(prefix, FinalSymlink::kFollow));
    TRY(CheckUnmade(*state_, place, components.rest(), found.error()));
    auto made = platform::MakeDirectory(place.directory.get(), place.name.c_str(), mode);
    if (!made && made.error().os_errno != EEXIST) {
      return ExplainNotFound(*state_, std::move(made.error()));
    }
  }
  // Someone else may have put something other than a directory there.
  Resolution check(*state_, Operation::kMkdir);
  TRY(check.Open({request.text, true}, OpenIntent::kReference, FinalSymlink::kFollow));
  return {};
}

Result<std::vector<DirectoryEntry>> Root::List(std::string_view untrusted,
                                               std::size_t limit) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kList);
  TRY_ASSIGN(const platform::UniqueFd directory,
             resolution.Open(request, OpenIntent::kListDirectory, FinalSymlink::kFollow));
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
