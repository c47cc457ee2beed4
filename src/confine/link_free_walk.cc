#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "confine/link_free.h"
#include "confine/refusal.h"
#include "confine/visibility.h"
#include "path/posix.h"
#include "platform/file_stat.h"
#include "platform/link.h"

namespace cordon::confine {
namespace {

using platform::FileIdentity;
using platform::FileType;
using platform::MountCrossing;
using platform::MustBe;
using platform::OpenIntent;
using platform::UniqueFd;

// Goes down one component at a time, holding one descriptor. The identity of
// every directory passed is kept, so that ".." is only believed when it leads
// back to the directory it was entered from.
class Walk {
 public:
  Walk(const RootState& root, const LinkFreeRequest& request) : root_(root), request_(request) {}

  LinkFreeOutcome Run() {
    // Known before anything is made: without mount ids a mount cannot be refused.
    if (request_.mounts == MountCrossing::kRefuse && !root_.mount) {
      if (auto refused = CheckMount(root_.directory.get(), "")) return std::move(*refused);
    }
    path::Components components(request_.text);
    std::string_view component = components.Next();
    while (!component.empty()) {
      const std::string_view rest = path::TrimTrailing(components.rest()).text;
      const bool last = path::Components(rest).Next().empty();
      auto outcome = component == ".." ? Ascend()
                     : last            ? OpenLast(component)
                                       : Descend(component, rest);
      if (outcome) return std::move(*outcome);
      ++index_;
      component = components.Next();
    }
    return OpenHere();
  }

 private:
  using Step = std::optional<LinkFreeOutcome>;  // nothing: go on

  int here() const { return current_.valid() ? current_.get() : root_.directory.get(); }

  Step Ascend() {
    if (passed_.empty()) return OutsideError(Violation::kTraversal, "..");
    auto parent = platform::OpenEntry(here(), "..", OpenIntent::kReference);
    if (!parent) return std::move(parent.error());
    passed_.pop_back();
    const FileIdentity expected = passed_.empty() ? root_.identity : passed_.back();
    auto stat = platform::StatDescriptor(parent->get());
    if (!stat) return std::move(stat.error());
    if (stat->identity != expected) return Raced{};
    current_ = std::move(*parent);
    return std::nullopt;
  }

  Step Descend(std::string_view component, std::string_view rest) {
    if (auto refused = CheckSuspects(component)) return refused;
    auto entry =
        platform::OpenEntry(here(), std::string(component).c_str(), OpenIntent::kReference);
    if (!entry) return std::move(entry.error());
    auto stat = platform::StatDescriptor(entry->get());
    if (!stat) return std::move(stat.error());
    if (stat->type == FileType::kSymlink) return LinkAt(component, rest, entry->get());
    if (stat->type != FileType::kDirectory) return NotADirectoryError(component);
    if (auto refused = CheckMount(entry->get(), component)) return refused;
    passed_.push_back(stat->identity);
    current_ = std::move(*entry);
    return std::nullopt;
  }

  Step OpenLast(std::string_view component) {
    if (auto refused = CheckSuspects(component)) return refused;
    if (auto raced = CheckConnected()) return raced;
    const std::string name(component);
    // A directory is opened through a reference: with O_DIRECTORY some kernels
    // answer ENOTDIR for a link, and some follow it.
    const bool through_reference =
        request_.intent == OpenIntent::kReference || request_.intent == OpenIntent::kListDirectory;
    auto entry = platform::OpenEntry(here(), name.c_str(),
                                     through_reference ? OpenIntent::kReference : request_.intent);
    if (!entry) {
      if (entry.error().os_errno == ELOOP) return LinkByName(component);
      return std::move(entry.error());
    }
    auto stat = platform::StatDescriptor(entry->get());
    if (!stat) return std::move(stat.error());
    const bool wants_directory =
        request_.must_be == MustBe::kDirectory || request_.intent == OpenIntent::kListDirectory;
    if (stat->type == FileType::kSymlink) {
      if (request_.final_link == FinalSymlink::kFollow || wants_directory) {
        return LinkAt(component, {}, entry->get());
      }
    } else if (wants_directory && stat->type != FileType::kDirectory) {
      return NotADirectoryError(component);
    }
    if (auto refused = CheckMount(entry->get(), component)) return refused;
    if (request_.intent != OpenIntent::kListDirectory) return std::move(*entry);
    return Finish(platform::ReopenDirectory(entry->get()));
  }

  // The path ended in "..", or is the root itself.
  LinkFreeOutcome OpenHere() {
    if (auto raced = CheckConnected()) return std::move(*raced);
    return Finish(platform::OpenEntry(here(), ".", request_.intent));
  }

  static LinkFreeOutcome Finish(Result<UniqueFd> opened) {
    if (!opened) return std::move(opened.error());
    return std::move(*opened);
  }

  Step LinkByName(std::string_view component) {
    auto entry =
        platform::OpenEntry(here(), std::string(component).c_str(), OpenIntent::kReference);
    if (!entry) {
      if (entry.error().os_errno == ENOENT) return Raced{};
      return std::move(entry.error());
    }
    auto stat = platform::StatDescriptor(entry->get());
    if (!stat) return std::move(stat.error());
    if (stat->type != FileType::kSymlink) return Raced{};
    return LinkAt(component, {}, entry->get());
  }

  Step LinkAt(std::string_view component, std::string_view rest, int link) {
    if (auto refused = CheckMount(link, component)) return refused;
    if (platform::IsMagicLink(link)) return OutsideError(Violation::kSymlink, component);
    auto target = platform::ReadLinkText(link);
    if (!target) return std::move(target.error());
    const auto offset = static_cast<std::size_t>(component.data() - request_.text.data());
    return FoundLink{request_.text.substr(0, offset), component, rest, std::move(*target)};
  }

  Step CheckMount(int entry, std::string_view component) {
    if (request_.mounts == MountCrossing::kAllow) return std::nullopt;
    auto mount = platform::MountIdOf(entry);
    if (!mount) return std::move(mount.error());
    if (!root_.mount || *mount != *root_.mount) return MountError(component);
    return std::nullopt;
  }

  Step CheckSuspects(std::string_view /*component*/) {
    for (const policy::DenyList::Match& suspect : request_.suspects) {
      if (suspect.component != index_) continue;
      if (Any(suspect.when & NameRulesAt(root_, here()))) return DeniedError(suspect);
    }
    return std::nullopt;
  }

  // Every directory passed must still lie in the one before it: a descriptor
  // stays valid when its directory is moved out of the root meanwhile.
  Step CheckConnected() {
    UniqueFd climbing;
    for (std::size_t level = passed_.size(); level > 0; --level) {
      auto parent = platform::OpenEntry(climbing.valid() ? climbing.get() : here(), "..",
                                        OpenIntent::kReference);
      if (!parent) return std::move(parent.error());
      auto stat = platform::StatDescriptor(parent->get());
      if (!stat) return std::move(stat.error());
      const FileIdentity expected = level == 1 ? root_.identity : passed_[level - 2];
      if (stat->identity != expected) return Raced{};
      climbing = std::move(*parent);
    }
    return std::nullopt;
  }

  const RootState& root_;
  const LinkFreeRequest& request_;
  UniqueFd current_;  // invalid: at the root
  std::vector<FileIdentity> passed_;
  std::size_t index_ = 0;  // of the component, as path::Components counts
};

}  // namespace

LinkFreeOutcome OpenByWalk(const RootState& root, const LinkFreeRequest& request) {
  return Walk(root, request).Run();
}

}  // namespace cordon::confine
