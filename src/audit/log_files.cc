#include "audit/log_files.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kLeastDigits = 6;

}  // namespace

std::optional<std::uint64_t> OlderFileNumber(std::string_view log_name, std::string_view name) {
  if (!name.starts_with(log_name)) return std::nullopt;
  name.remove_prefix(log_name.size());
  if (!name.starts_with('.')) return std::nullopt;
  name.remove_prefix(1);
  if (name.size() < kLeastDigits) return std::nullopt;
  if (name.size() > kLeastDigits && name.front() == '0') return std::nullopt;
  if (name.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
  if (parsed.ec != std::errc() || number == 0) return std::nullopt;
  return number;
}

Result<std::vector<OlderFile>> ListOlderFiles(const confine::Root& directory,
                                              std::string_view log_name) {
  TRY_ASSIGN(const std::vector<confine::DirectoryEntry> entries, directory.List("."));
  std::vector<OlderFile> files;
  for (const confine::DirectoryEntry& entry : entries) {
    if (const auto number = OlderFileNumber(log_name, entry.name)) {
      files.push_back({*number, entry.name});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const OlderFile& a, const OlderFile& b) { return a.number < b.number; });
  return files;
}

}  // namespace cordon::audit
