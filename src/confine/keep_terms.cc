#include "confine/keep_terms.h"

#include "base/try.h"
#include "platform/attributes.h"
#include "platform/file_io.h"
#include "platform/open.h"

namespace cordon::confine {
namespace {

using platform::FileStat;

// Not every user may give files away; who may, keeps the owner.
bool KeepsGroup(int file, const FileStat& old) {
  return platform::SetOwner(file, old.owner, old.group) ||
         platform::SetOwner(file, platform::kSameOwner, old.group);
}

// The group gets what everyone gets.
std::uint32_t WithoutGroup(std::uint32_t mode) { return (mode & ~070U) | ((mode & 07U) << 3); }

// For reading its attributes; not valid if it may not be read, or is gone or another by now.
Result<platform::UniqueFd> OpenOld(int directory, const std::string& name, const FileStat& old) {
  auto opened = platform::OpenEntry(directory, name.c_str(), platform::OpenIntent::kRead);
  if (!opened) {
    const ErrorCode code = opened.error().code;
    const bool withheld = code == ErrorCode::kPermissionDenied || code == ErrorCode::kNotFound;
    if (withheld || opened.error().security_violation()) return platform::UniqueFd();
    return opened;
  }
  TRY_ASSIGN(const FileStat stat, platform::StatDescriptor(opened->get()));
  if (stat.identity != old.identity) return platform::UniqueFd();
  return opened;
}

}  // namespace

Status KeepTerms(int directory, const std::string& name, const FileStat& old, int file) {
  TRY_ASSIGN(const platform::UniqueFd source, OpenOld(directory, name, old));
  // While the file is still ours: others' need not take our attributes.
  if (source.valid()) TRY(platform::CopyUserAttributes(source.get(), file));
  const bool same_group = KeepsGroup(file, old);
  if (source.valid() && same_group) {
    TRY(platform::CopyAccessList(source.get(), file));
    return platform::SetMode(file, old.mode & kKeptModeBits);
  }
  // A list speaks of that group; and where there may have been one, the mode's group
  // bits are no group's rights but the most that anyone in the list may have.
  TRY(platform::RemoveAccessList(file));
  return platform::SetMode(file, WithoutGroup(old.mode) & kKeptModeBits);
}

}  // namespace cordon::confine
