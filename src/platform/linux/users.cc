#include "platform/users.h"

#include <pwd.h>

#include <array>
#include <cstdlib>
#include <mutex>

namespace cordon::platform {
namespace {

constexpr int kMostUsers = 10'000;

}  // namespace

std::vector<std::string> HomeDirectories() {
  std::vector<std::string> homes;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    homes.emplace_back(home);
  }
  // The position in the user database belongs to the whole process.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  ::setpwent();
  std::array<char, 16 * 1024> buffer;
  for (int count = 0; count < kMostUsers; ++count) {
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwent_r(&entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) break;
    if (entry.pw_dir != nullptr && entry.pw_dir[0] == '/') homes.emplace_back(entry.pw_dir);
  }
  ::endpwent();
  return homes;
}

}  // namespace cordon::platform
