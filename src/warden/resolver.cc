#include "warden/resolver.h"

#include <cerrno>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "platform/host.h"
#include "platform/link.h"
#include "platform/name_rules.h"
#include "platform/open.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::FileType;
using platform::UniqueFd;
using FinalLink = platform::NamedPath::FinalLink;

constexpr int kMaxLinks = 40;  // as the kernel's

FileType TypeOf(int fd) {
  const auto stat = platform::StatDescriptor(fd);
  return stat ? stat->type : FileType::kUnknown;
}

// A walk over a path, one name at a time.
class Walker {
 public:
  Walker(const ActForProcess& acts, const platform::OtherProcesses& processes,
         const Resolver& resolver, int thread, int root)
      : acts_(acts), processes_(processes), resolver_(resolver), thread_(thread), root_(root) {}

  Found Run(int base, std::string text, FinalLink final_link) {
    start_ = base;
    rest_ = std::move(text);
    if (rest_.starts_with('/')) start_ = root_;
    while (!failed()) {
      const auto begin = rest_.find_first_not_of('/');
      if (begin == std::string::npos) break;
      const auto end = rest_.find('/', begin);
      const std::string name = rest_.substr(begin, end == std::string::npos ? end : end - begin);
      rest_.erase(0, end == std::string::npos ? rest_.size() : end);
      Step(name, final_link);
    }
    if (!failed() && !current_.valid()) {
      auto same = ActForProcess::Entry(start_, ".");
      current_ = std::move(same.fd);
      if (same.os_errno != 0) Fail(same.os_errno, {});
    }
    found_.object = std::move(current_);
    return std::move(found_);
  }

 private:
  int here() const { return current_.valid() ? current_.get() : start_; }
  bool failed() const { return found_.os_errno != 0 || !found_.refused.empty(); }
  bool IsLast() const { return rest_.find_first_not_of('/') == std::string::npos; }

  void Fail(int os_errno, const std::string& name) {
    found_.os_errno = os_errno;
    found_.place = Normal(acts_.RealPath(here()) + "/" + name + rest_);
  }

  void Step(const std::string& name, FinalLink final_link) {
    found_.own_descriptor = -1;
    if (name == ".") return;
    auto entry = ActForProcess::Entry(here(), name.c_str());
    if (entry.os_errno != 0) return Fail(entry.os_errno, name);
    const FileType type = TypeOf(entry.fd.get());
    const bool last = IsLast();
    if (type == FileType::kSymlink &&
        (!last || !rest_.empty() || final_link == FinalLink::kFollow)) {
      return FollowLink(name, std::move(entry.fd));
    }
    // Also for "name/".
    if (type != FileType::kDirectory && !rest_.empty()) return Fail(ENOTDIR, name);
    current_ = std::move(entry.fd);
  }

  void FollowLink(const std::string& name, UniqueFd link) {
    if (++links_ > kMaxLinks) return Fail(ELOOP, name);
    const std::string directory = acts_.RealPath(here());
    const std::string place = directory == "/" ? "/" + name : directory + "/" + name;
    // Outside, what it leads to is what counts.
    const Judgement judged = resolver_.Judged(place, Operation::kRead);
    if (judged.refused() && judged.rule != "outside") {
      found_.refused = judged.rule;
      found_.place = place;
      return;
    }
    if (platform::IsMagicLink(link.get()) && directory != "/proc")
      return FollowMagic(name, directory);
    std::string text;
    if (directory == "/proc" && (name == "self" || name == "thread-self")) {
      const auto facts = processes_.Facts(thread_);
      if (!facts) return Fail(ENOENT, name);
      text = std::to_string(facts->thread_group);
      if (name == "thread-self") text += "/task/" + std::to_string(thread_);
    } else {
      auto read = platform::ReadLinkText(link.get());
      if (!read) return Fail(read.error().os_errno, name);
      text = std::move(*read);
    }
    if (text.empty()) return Fail(ENOENT, name);
    if (text.starts_with('/')) {
      current_.reset();
      start_ = root_;
    }
    rest_ = std::move(text) + rest_;
  }

  // Where the kernel says it leads; the warden's own were refused with the place.
  void FollowMagic(const std::string& name, const std::string& directory) {
    auto target = ActForProcess::Follow(here(), name.c_str());
    if (target.os_errno != 0) return Fail(target.os_errno, name);
    if (!rest_.empty() && TypeOf(target.fd.get()) != FileType::kDirectory) {
      return Fail(ENOTDIR, name);
    }
    current_ = std::move(target.fd);
    const auto facts = processes_.Facts(thread_);
    if (!facts) return;
    const std::string group = "/proc/" + std::to_string(facts->thread_group);
    if (directory != group + "/fd" &&
        directory != group + "/task/" + std::to_string(thread_) + "/fd") {
      return;
    }
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    found_.own_descriptor = number;
  }

  const ActForProcess& acts_;
  const platform::OtherProcesses& processes_;
  const Resolver& resolver_;
  int thread_;
  int root_;
  int start_ = -1;
  UniqueFd current_;  // invalid: at start_
  std::string rest_;
  int links_ = 0;
  Found found_;
};

// What is before the last name, that name, and the slashes behind it.
struct Split {
  std::string before, name, slashes;
};
Split SplitLast(const std::string& text) {
  Split split;
  const auto last = text.find_last_not_of('/');
  const auto end = last == std::string::npos ? 0 : last + 1;
  const auto slash = text.rfind('/', end == 0 ? 0 : end - 1);
  const auto begin = end == 0 || slash == std::string::npos || slash >= end ? 0 : slash + 1;
  split.before = end == 0 ? text : text.substr(0, begin);
  split.name = text.substr(begin, end - begin);
  split.slashes = end == 0 ? "" : text.substr(end);
  return split;
}

}  // namespace

Result<Resolver> Resolver::Make(const ActForProcess& acts,
                                const platform::OtherProcesses& processes, const Judge& judge) {
  TRY_ASSIGN(platform::HostDirectory root, platform::OpenHostDirectory("/"));
  return Resolver(acts, processes, judge, std::move(root.directory));
}

Origin Resolver::Begin(int thread, const platform::NamedPath& path, std::uint64_t resolve) const {
  Origin origin;
  const bool descriptor_may_be_meant = path.empty == platform::NamedPath::Empty::kDescriptor;
  if (path.address != 0 || !descriptor_may_be_meant) {
    origin.os_errno = -platform::ReadText(thread, path.address, origin.text);
    if (origin.os_errno != 0) return origin;
    if (origin.text.empty() && !descriptor_may_be_meant) origin.os_errno = ENOENT;
  }
  const bool own_root = (resolve & ActForProcess::InRoot()) != 0;
  if (origin.os_errno != 0 || (origin.text.starts_with('/') && !own_root)) return origin;
  origin.base = path.directory == platform::kWorkingDirectory
                    ? processes_.WorkingDirectory(thread)
                    : processes_.Descriptor(thread, path.directory);
  if (!origin.base.valid()) {
    origin.os_errno = path.directory == platform::kWorkingDirectory ? EACCES : EBADF;
  }
  return origin;
}

std::string Resolver::PlaceOf(const Origin& origin) const {
  if (!origin.base.valid()) return Normal(origin.text);
  const std::string base = acts_.RealPath(origin.base.get());
  return origin.text.empty() ? base : Normal(base + "/" + origin.text);
}

Found Resolver::Describe(UniqueFd object) const {
  Found found;
  found.type = TypeOf(object.get());
  found.real = acts_.RealPath(object.get());
  found.object = std::move(object);
  return found;
}

Found Resolver::Find(int thread, const Origin& origin, FinalLink final_link,
                     std::uint64_t resolve) const {
  const char* text = origin.text.empty() ? "." : origin.text.c_str();
  if (origin.text.empty()) {
    auto same = ActForProcess::Entry(origin.base.get(), ".");
    // Not a directory: the reference itself is what is meant.
    if (same.os_errno == ENOTDIR) same = {acts_.Same(origin.base.get()), 0};
    if (same.os_errno == 0 && same.fd.valid()) return Describe(std::move(same.fd));
    Found failed;
    failed.os_errno = same.os_errno != 0 ? same.os_errno : EBADF;
    failed.place = PlaceOf(origin);
    return failed;
  }
  auto looked = acts_.LookUp(Base(origin), text, final_link, ActForProcess::NoLinks() | resolve);
  if (looked.os_errno == ELOOP) {
    // With the process's own terms the kernel follows the links; where they lead is judged.
    if (resolve != 0) {
      looked =
          acts_.LookUp(Base(origin), text, final_link, resolve | ActForProcess::NoMagicLinks());
    } else {
      Found walked = Walk(thread, origin, final_link);
      if (walked.os_errno != 0 || !walked.refused.empty()) return walked;
      Found found = Describe(std::move(walked.object));
      found.own_descriptor = walked.own_descriptor;
      return found;
    }
  }
  if (looked.os_errno == 0) return Describe(std::move(looked.fd));
  Found failed;
  failed.os_errno = looked.os_errno;
  failed.place = PlaceOf(origin);
  return failed;
}

Found Resolver::Walk(int thread, const Origin& origin, FinalLink final_link) const {
  return Walker(acts_, processes_, *this, thread, root_.get())
      .Run(Base(origin), origin.text, final_link);
}

Spot Resolver::FindSpot(int thread, const Origin& origin, std::uint64_t resolve) const {
  Spot spot;
  Split split = SplitLast(origin.text);
  spot.special = split.name.empty() || split.name == "." || split.name == "..";
  spot.name = std::move(split.name);
  spot.slashes = std::move(split.slashes);
  Origin directory;
  directory.text = split.before.empty() ? "." : std::move(split.before);
  if (origin.base.valid()) directory.base = acts_.Same(origin.base.get());
  Found found = Find(thread, directory, FinalLink::kFollow, resolve);
  spot.os_errno = found.os_errno;
  spot.refused = std::move(found.refused);
  spot.place = std::move(found.place);
  if (spot.os_errno == 0 && spot.refused.empty() && found.type != FileType::kDirectory) {
    spot.os_errno = ENOTDIR;
    spot.place = found.real;
  }
  if (spot.os_errno != 0 && !spot.special) spot.place = Normal(spot.place + "/" + spot.name);
  spot.directory_real = std::move(found.real);
  spot.directory = std::move(found.object);
  return spot;
}

Judgement Resolver::Judged(const std::string& path, Operation operation) const {
  Judgement judgement = judge_.Check(path, operation);
  for (const auto& suspect : judgement.suspects) {
    auto holder = acts_.LookUp(root_.get(), suspect.holder.c_str(), FinalLink::kTake,
                               ActForProcess::NoLinks());
    // What cannot be asked is taken to compare names by every rule.
    const auto rules =
        holder.os_errno == 0 ? platform::NameRulesOf(holder.fd.get()) : path::NameRules::kAll;
    if (!path::Any(rules & suspect.when)) continue;
    judgement.rule = suspect.rule;
    break;
  }
  return judgement;
}

}  // namespace cordon::warden
