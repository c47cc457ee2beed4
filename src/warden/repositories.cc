#include "warden/repositories.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/open.h"
#include "platform/private_file.h"
#include "warden/git_config.h"
#include "warden/git_writes.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr std::array<const char*, 2> kSettings = {"config", "config.worktree"};

std::string ParentOf(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What has the name, itself; nothing: no entry has it.
std::optional<platform::FileStat> EntryOf(int directory, const char* name) {
  const auto entry = ActForProcess::Entry(directory, name);
  if (entry.os_errno != 0) return std::nullopt;
  const auto stat = platform::StatDescriptor(entry.fd.get());
  // What cannot be looked at is there all the same.
  return stat ? *stat : platform::FileStat();
}

bool Has(int directory, const char* name) { return EntryOf(directory, name).has_value(); }

// Links count, wherever they lead: that may come later.
bool IsWhole(int directory) {
  if (!Has(directory, "HEAD")) return false;
  return Has(directory, "commondir") || (Has(directory, "objects") && Has(directory, "refs"));
}

// Whether the directory would be a repository with the entry `part`, which it need not have.
bool WouldBeWhole(int directory, Landmark part) {
  const auto has = [&](Landmark which, const char* name) {
    return part == which || Has(directory, name);
  };
  if (!has(Landmark::kHead, "HEAD")) return false;
  return has(Landmark::kCommonDirectory, "commondir") ||
         (has(Landmark::kObjects, "objects") && has(Landmark::kReferences, "refs"));
}

bool HasOnlySamples(int directory) {
  const auto there = EntryOf(directory, "hooks");
  if (!there) return true;
  if (there->type != FileType::kDirectory) return false;
  const auto hooks = ActForProcess::Entry(directory, "hooks");
  if (hooks.os_errno != 0) return false;
  const auto listed = platform::ReopenDirectory(hooks.fd.get());
  if (!listed) return false;
  bool samples = true;
  const auto read = platform::ReadEntries(listed->get(), [&](std::string_view name, FileType) {
    const bool itself = name == "." || name == "..";
    samples = itself || IsSampleHook(name);
    return samples ? platform::ReadMore::kYes : platform::ReadMore::kStop;
  });
  return read && samples;
}

// The same bytes in a file that nobody else has open.
bool Renew(int directory, const char* name, const std::string& content, std::uint32_t mode) {
  const std::string fresh = std::string(name) + "." + std::to_string(platform::RandomNumber());
  auto copy = platform::OpenEntry(directory, fresh.c_str(), OpenIntent::kCreatePrivate);
  if (!copy) return false;
  const bool written = platform::WriteAll(copy->get(), content).has_value() &&
                       platform::SetMode(copy->get(), mode).has_value();
  const bool done =
      written && ActForProcess::Rename(directory, fresh.c_str(), directory, name, 0) == 0;
  if (!done) {
    (void)ActForProcess::Remove(directory, fresh.c_str(), platform::RemoveWish::What::kFile);
  }
  return done;
}

}  // namespace

UniqueFd Repositories::Open(const std::string& directory) const {
  auto found = acts_.LookUp(root_, directory.c_str(), platform::NamedPath::FinalLink::kTake,
                            ActForProcess::NoLinks());
  return found.os_errno == 0 ? std::move(found.fd) : UniqueFd();
}

bool Repositories::IsRepository(const std::string& directory) const {
  const UniqueFd opened = Open(directory);
  return opened.valid() && IsWhole(opened.get());
}

GitPart Repositories::PartOf(const std::string& path) const {
  const GitPart part = GitPartOf(path);
  const bool told = part != GitPart::kNone && part != GitPart::kOrdinary && part != GitPart::kPlain;
  if (told) return part;
  const std::string directory = ParentOf(path);
  const std::string name = NameOf(path);
  const GitPart as_entry = GitPartIn(name);
  if (as_entry == GitPart::kRedirect) {
    const UniqueFd opened = Open(directory);
    return opened.valid() && Has(opened.get(), "HEAD") ? as_entry : part;
  }
  const bool counts = as_entry == GitPart::kHooks || as_entry == GitPart::kConfig;
  if (counts && IsRepository(directory)) return as_entry;
  if (GitPartIn(NameOf(directory)) == GitPart::kHooks && !IsSampleHook(name) &&
      IsRepository(ParentOf(directory))) {
    return GitPart::kHook;
  }
  return part;
}

std::string Repositories::RuleOnMaking(const std::string& path) const {
  const Landmark part = LandmarkOf(NameOf(path));
  const std::string directory = ParentOf(path);
  if (part == Landmark::kNone || IsKeptRepository(directory)) return {};
  const UniqueFd opened = Open(directory);
  if (!opened.valid() || !WouldBeWhole(opened.get(), part)) return {};
  // One that is whole already has been seen to.
  if (IsWhole(opened.get())) return {};
  if (part == Landmark::kCommonDirectory || Has(opened.get(), "commondir")) return "git:file";
  return RuleOnWhatIsThere(opened.get());
}

std::string Repositories::RuleOnWhatIsThere(int directory) const {
  if (!HasOnlySamples(directory)) return "git:hooks";
  for (const char* const name : kSettings) {
    const auto there = EntryOf(directory, name);
    if (!there) continue;
    if (there->type != FileType::kRegular) return "git:config";
    const std::string content = SmallFile(acts_, directory, name);
    if (content.empty() && there->size != 0) return "git:config";
    const std::string harmful = HarmfulSetting(content, "", "");
    if (!harmful.empty()) return "git:config:" + harmful;
    if (!Renew(directory, name, content, there->mode)) return "git:config";
  }
  return {};
}

}  // namespace cordon::warden
