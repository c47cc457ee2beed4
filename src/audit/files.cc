#include "audit/files.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_io.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kDigits = 6;

// The generation in ".000012"; anything else is somebody's own file.
std::optional<std::uint64_t> GenerationOf(std::string_view suffix) {
  if (suffix.size() < kDigits + 1 || suffix.front() != '.') return std::nullopt;
  suffix.remove_prefix(1);
  if (suffix.size() > kDigits && suffix.front() == '0') return std::nullopt;
  std::uint64_t generation = 0;
  const char* const end = suffix.data() + suffix.size();
  const auto parsed = std::from_chars(suffix.data(), end, generation);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return generation;
}

}  // namespace

Result<NamedPlace> OpenPlace(const std::string& path, platform::MissingDirectory missing,
                             confine::AmbientAuthority /*authority*/) {
  const std::size_t slash = path.rfind('/');
  if (path.empty() || path.front() != '/' || slash + 1 == path.size() ||
      path.find('\0') != std::string::npos) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "open";
    error.detail = "the place of the audit log must be the absolute path of a file";
    return error;
  }
  NamedPlace place;
  TRY_ASSIGN(place.directory,
             platform::OpenStateDirectory(slash == 0 ? "/" : path.substr(0, slash), missing));
  place.name = path.substr(slash + 1);
  return place;
}

std::string LogFiles::NameOf(std::uint64_t generation) const {
  std::string digits = std::to_string(generation);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return place_.name + "." + digits;
}

Result<platform::UniqueFd> LogFiles::Open(const std::string& name,
                                          platform::PrivateAccess access) const {
  return platform::OpenPrivateFile(directory(), name.c_str(), access);
}

Result<std::optional<platform::UniqueFd>> LogFiles::OpenIfThere(const std::string& name) const {
  auto opened = Open(name, platform::PrivateAccess::kRead);
  if (opened) return std::optional<platform::UniqueFd>(std::move(*opened));
  if (opened.error().code == ErrorCode::kNotFound) return std::optional<platform::UniqueFd>();
  return opened.error();
}

Result<bool> LogFiles::Exists(const std::string& name) const {
  const auto stat = platform::StatEntry(directory(), name.c_str());
  if (stat) return true;
  if (stat.error().code == ErrorCode::kNotFound) return false;
  return stat.error();
}

Status LogFiles::Remove(const std::string& name) const {
  auto removed = platform::RemoveFile(directory(), name.c_str());
  if (!removed && removed.error().code != ErrorCode::kNotFound) return removed;
  return {};
}

Status LogFiles::Rename(const std::string& name, const std::string& new_name) const {
  return platform::RenameNoReplace(directory(), name.c_str(), new_name.c_str());
}

Status LogFiles::Sync() const { return platform::SyncFile(directory()); }

Result<std::vector<std::uint64_t>> LogFiles::Left() const {
  std::vector<std::uint64_t> found;
  TRY(platform::ReadEntries(directory(), [&](std::string_view name, platform::FileType) {
    if (name.starts_with(place_.name)) {
      if (const auto generation = GenerationOf(name.substr(place_.name.size()))) {
        found.push_back(*generation);
      }
    }
    return platform::ReadMore::kYes;
  }));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace cordon::audit
