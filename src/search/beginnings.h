// How files begin, for a list of them, in one walk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "confine/search_visitor.h"

namespace cordon::search {

struct Beginning {
  std::uint64_t size = 0;  // of the whole file
  std::string bytes;       // some hundred
};

// Goes to the given files only. What cannot be opened, or is no file by now, is left out.
// Thread safety: as SearchVisitor; Take when the search is over.
class Beginnings final : public confine::SearchVisitor {
 public:
  explicit Beginnings(std::vector<std::string> paths);  // below the start

  std::shared_ptr<const confine::SearchNote> PassThrough(
      const confine::SearchDirectory& directory,
      std::shared_ptr<const confine::SearchNote> above) override;
  std::shared_ptr<const confine::SearchNote> Enter(
      std::size_t worker, const confine::SearchDirectory& directory,
      std::shared_ptr<const confine::SearchNote> above,
      std::span<confine::SearchEntry> entries) override;
  void Visit(std::size_t worker, const confine::SearchDirectory& directory,
             const confine::SearchEntry& entry) override;
  bool Wants(std::string_view directory, std::string_view name) const override;

  std::map<std::string, Beginning> Take() { return std::move(found_); }  // by path

 private:
  std::vector<std::string> paths_;  // sorted
  std::mutex mutex_;
  std::map<std::string, Beginning> found_;
};

}  // namespace cordon::search
