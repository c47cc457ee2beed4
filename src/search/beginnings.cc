#include "search/beginnings.h"

#include <algorithm>
#include <utility>

namespace cordon::search {
namespace {

using confine::SearchChoice;
using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchNote;

constexpr std::size_t kBytes = 512;

std::string PathOf(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty()) path += '/';
  path += name;
  return path;
}

}  // namespace

Beginnings::Beginnings(std::vector<std::string> paths) : paths_(std::move(paths)) {
  std::sort(paths_.begin(), paths_.end());
}

std::shared_ptr<const SearchNote> Beginnings::PassThrough(const SearchDirectory& /*directory*/,
                                                          std::shared_ptr<const SearchNote> above) {
  return above;
}

std::shared_ptr<const SearchNote> Beginnings::Enter(std::size_t /*worker*/,
                                                    const SearchDirectory& directory,
                                                    std::shared_ptr<const SearchNote> above,
                                                    std::span<SearchEntry> entries) {
  for (SearchEntry& entry : entries) {
    const bool wanted = Wants(directory.path(), entry.name);
    entry.choice = wanted ? SearchChoice::kTake : SearchChoice::kPassOver;
  }
  return above;
}

void Beginnings::Visit(std::size_t /*worker*/, const SearchDirectory& directory,
                       const SearchEntry& entry) {
  const auto file = directory.Open(entry.name);
  if (!file) return;
  Beginning beginning{file->size(), std::string(kBytes, '\0')};
  const auto got = file->Read(beginning.bytes);
  beginning.bytes.resize(got.value_or(0));
  const std::lock_guard lock(mutex_);
  found_.insert_or_assign(PathOf(directory.path(), entry.name), std::move(beginning));
}

// Itself, or something below it.
bool Beginnings::Wants(std::string_view directory, std::string_view name) const {
  std::string path = PathOf(directory, name);
  if (std::binary_search(paths_.begin(), paths_.end(), path)) return true;
  path += '/';
  const auto below = std::lower_bound(paths_.begin(), paths_.end(), path);
  return below != paths_.end() && below->starts_with(path);
}

}  // namespace cordon::search
