#include "confine/resolution.h"

#include <cerrno>
#include <thread>
#include <utility>

#include "base/try.h"
#include "confine/refusal.h"
#include "confine/visibility.h"
#include "platform/file_stat.h"
#include "platform/link.h"

namespace cordon::confine {
namespace {

using platform::MountCrossing;
using platform::MustBe;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr int kMaxLinks = 40;  // as the kernel's

MountCrossing CrossingFor(const RootState& root, Operation operation) {
  switch (root.options.mounts) {
    case policy::Mounts::kAllow: return MountCrossing::kAllow;
    case policy::Mounts::kReadOnly:
      return IsReadOnly(operation) ? MountCrossing::kAllow : MountCrossing::kRefuse;
    case policy::Mounts::kRefuse: break;
  }
  return MountCrossing::kRefuse;
}

// Whether a missing name may be what the request is about.
bool Creates(OpenIntent intent) {
  return intent == OpenIntent::kCreate || intent == OpenIntent::kCreateExclusive ||
         intent == OpenIntent::kAppend || intent == OpenIntent::kAppendExisting;
}

}  // namespace

Status CheckNothingCoveredBelow(const RootState& root, const Place& place) {
  if (!root.options.deny) return {};
  if (!root.options.deny->CoversBelow(place.path, Operation::kRename)) return {};
  return ProtectedBelowError(place.name);
}

Resolution::Resolution(const RootState& root, Operation operation, std::optional<Operation> also)
    : root_(root), operation_(operation), also_(also), mounts_(CrossingFor(root, operation)) {}

Result<UniqueFd> Resolution::Open(const path::Request& request, OpenIntent intent,
                                  FinalSymlink final_link) {
  text_ = request.text;
  must_be_directory_ = request.must_be_directory;
  while (true) {
    TRY(CheckDenied(text_));
    // "name/" can only be a directory, which opening cannot make; if a link says
    // so, it must still be known whether it leads out.
    const bool cannot_be_made = must_be_directory_ && Creates(intent);
    if (cannot_be_made && request.must_be_directory) return NotADirectoryError(text_);
    auto outcome = OpenOnce(cannot_be_made ? OpenIntent::kReference : intent, final_link);
    if (auto* fd = std::get_if<UniqueFd>(&outcome)) {
      if (cannot_be_made) return NotADirectoryError(text_);
      return std::move(*fd);
    }
    if (auto* error = std::get_if<Error>(&outcome)) {
      if (cannot_be_made && !error->security_violation()) return NotADirectoryError(text_);
      if (error->code == ErrorCode::kPathOutsideProject && links_ > 0) {
        *error = OutsideError(Violation::kSymlink, last_link_);
      }
      return ExplainNotFound(root_, std::move(*error));
    }
    if (auto* link = std::get_if<FoundLink>(&outcome)) {
      TRY(Follow(*link));
    } else {
      TRY(WaitForCalm());
    }
  }
}

LinkFreeOutcome Resolution::OpenOnce(OpenIntent intent, FinalSymlink final_link) {
  LinkFreeRequest request;
  request.text = text_;
  request.intent = intent;
  request.must_be = must_be_directory_ ? MustBe::kDirectory : MustBe::kAnything;
  // A trailing slash asks for the directory behind a link, not for the link.
  request.final_link = must_be_directory_ ? FinalSymlink::kFollow : final_link;
  request.mounts = mounts_;
  request.suspects = suspects_;
  return root_.resolver == Resolver::kWalk ? OpenByWalk(root_, request)
                                           : OpenByKernel(root_, request);
}

Status Resolution::CheckDenied(std::string_view text) {
  suspects_.clear();
  if (!root_.options.deny) return {};
  auto verdict = root_.options.deny->Check(text, operation_);
  if (verdict.denied) return Denial(text, *verdict.denied);
  suspects_ = std::move(verdict.suspects);
  if (!also_) return {};
  verdict = root_.options.deny->Check(text, *also_);
  if (verdict.denied) return Denial(text, *verdict.denied);
  suspects_.insert(suspects_.end(), verdict.suspects.begin(), verdict.suspects.end());
  return {};
}

// A denied name in a link's text may lie outside: then that the link leads out is
// all there is to say, for what is there is not to be told.
Error Resolution::Denial(std::string_view text, const policy::DenyList::Match& match) {
  Error denial = DeniedError(match);
  if (links_ == 0) return denial;
  const auto offset = static_cast<std::size_t>(match.name.data() - text.data());
  const std::string way(path::TrimTrailing(text.substr(0, offset)).text);
  auto opened = Open({way, true}, OpenIntent::kReference, FinalSymlink::kFollow);
  if (!opened && opened.error().code == ErrorCode::kPathOutsideProject) {
    return std::move(opened.error());
  }
  return denial;
}

Status Resolution::Follow(const FoundLink& link) {
  if (links_ >= kMaxLinks) return LoopError();
  ++links_;
  last_link_ = link.name;
  std::string_view target = link.target;
  std::string next;
  if (target.starts_with('/')) {
    bool inside = false;
    for (const std::string& root : root_.spellings) {
      if (path::StripRoot(link.target, root, target)) {
        inside = true;
        break;
      }
    }
    if (!inside) return OutsideError(Violation::kSymlink, link.name);
  } else {
    next = link.before;
  }
  next += target;
  if (link.after.empty()) {
    must_be_directory_ = must_be_directory_ || path::TrimTrailing(target).must_be_directory;
  } else {
    if (!next.empty()) next += '/';  // a leading one would make it absolute
    next += link.after;
  }
  next.resize(path::TrimTrailing(next).text.size());
  storage_ = std::move(next);  // last: `link` views into the old text
  text_ = storage_;
  return {};
}

Status Resolution::WaitForCalm() {
  const auto now = std::chrono::steady_clock::now();
  if (!deadline_) deadline_ = now + root_.options.race_deadline;
  if (now >= *deadline_) return RaceError();
  std::this_thread::yield();
  return {};
}

Result<Place> Resolution::Locate(const path::Request& request, FinalSymlink final_link) {
  std::string whole(request.text);
  bool must_be_directory = request.must_be_directory;
  while (true) {
    const std::size_t slash = whole.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    Place place;
    place.name = whole.substr(begin);
    place.must_be_directory = must_be_directory;
    TRY(CheckDenied(whole));
    if (place.name.empty() || place.name == "..") {
      auto named = Open({whole, true}, OpenIntent::kReference, FinalSymlink::kFollow);
      if (!named && named.error().security_violation()) return std::move(named.error());
      // Who wants a file there hears what opening one would say.
      const bool wants_file = operation_ == Operation::kCreate || operation_ == Operation::kWrite;
      if (!wants_file) return BadNameError(place.name);
      if (!named) return std::move(named.error());
      return IsADirectoryError();
    }
    path::Request parent = path::TrimTrailing(std::string_view(whole).substr(0, begin));
    parent.must_be_directory = true;
    TRY_ASSIGN(place.directory, Open(parent, OpenIntent::kReference, FinalSymlink::kFollow));
    place.path = path::CollapseLexically(text_);  // no link is left in it
    if (!place.path.empty()) place.path += '/';
    place.path += place.name;
    TRY(CheckDenied(place.path));
    bool parents_suspected = false;
    for (const auto& suspect : suspects_) {
      if (suspect.name.data() + suspect.name.size() != place.path.data() + place.path.size()) {
        parents_suspected = true;
        continue;
      }
      if (Any(suspect.when & NameRulesAt(root_, place.directory.get()))) {
        return DeniedError(suspect);
      }
    }
    if (parents_suspected) {
      // Only with the last name did the whole fit an anchored rule: the parents
      // are judged where they are looked up, which is done once more.
      storage_ = place.path.substr(0, place.path.size() - place.name.size());
      text_ = path::TrimTrailing(storage_).text;
      auto outcome = OpenOnce(OpenIntent::kReference, FinalSymlink::kFollow);
      if (auto* error = std::get_if<Error>(&outcome)) return std::move(*error);
      if (auto* fd = std::get_if<UniqueFd>(&outcome)) {
        place.directory = std::move(*fd);
      } else {
        TRY(WaitForCalm());
        continue;
      }
    }
    bool followed = false;
    if (final_link == FinalSymlink::kFollow) {
      TRY_ASSIGN(followed, FollowEntry(place));
    }
    if (!followed) {
      storage_ = place.path;
      text_ = storage_;  // what it was until now goes with this call
      return place;
    }
    whole = text_;
    must_be_directory = must_be_directory || must_be_directory_;
  }
}

// If the place holds a link, makes text_ what it leads to.
Result<bool> Resolution::FollowEntry(const Place& place) {
  auto entry =
      platform::OpenEntry(place.directory.get(), place.name.c_str(), OpenIntent::kReference);
  if (!entry) {
    if (entry.error().os_errno == ENOENT) return false;
    return std::move(entry.error());
  }
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(entry->get()));
  if (stat.type != platform::FileType::kSymlink) return false;
  if (platform::IsMagicLink(entry->get())) return OutsideError(Violation::kSymlink, place.name);
  FoundLink link;
  const std::string_view path = place.path;
  link.before = path.substr(0, path.size() - place.name.size());
  link.name = place.name;
  TRY_ASSIGN(link.target, platform::ReadLinkText(entry->get()));
  must_be_directory_ = false;
  TRY(Follow(link));
  return true;
}

}  // namespace cordon::confine
