#include "confine/temporary_name.h"

#include <cstddef>
#include <deque>
#include <mutex>
#include <set>

#include "platform/host.h"

namespace cordon::confine {
namespace {

constexpr std::size_t kRemembered = 4096;
constexpr std::string_view kBeginning = ".cordon-";

struct Chosen {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
  std::deque<std::string> order;  // the oldest first
};

Chosen& All() {
  static Chosen all;
  return all;
}

}  // namespace

std::string TemporaryName() {
  std::string name(kBeginning);
  std::uint64_t number = platform::RandomNumber();
  for (int digit = 0; digit < 16; ++digit, number >>= 4) {
    name += "0123456789abcdef"[number & 15];
  }
  name += ".tmp";
  const std::lock_guard lock(All().mutex);
  All().names.insert(name);
  All().order.push_back(name);
  if (All().order.size() > kRemembered) {
    All().names.erase(All().order.front());
    All().order.pop_front();
  }
  return name;
}

bool IsTemporary(std::string_view name) {
  if (!name.starts_with(kBeginning)) return false;
  const std::lock_guard lock(All().mutex);
  return All().names.contains(name);
}

void KeepName(std::string_view name) {
  const std::lock_guard lock(All().mutex);
  if (const auto found = All().names.find(name); found != All().names.end()) {
    All().names.erase(found);
  }
}

}  // namespace cordon::confine
