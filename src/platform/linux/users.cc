#include "platform/users.h"

#include <pwd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <span>
#include <string_view>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/name_services.h"
#include "platform/pipe.h"
#include "platform/spawn.h"

namespace cordon::platform {
namespace {

constexpr int kMostUsers = 10'000;
constexpr std::size_t kMostBytes = 4u << 20;

void AddHome(std::vector<std::string>& homes, std::string_view home) {
  if (home.starts_with('/')) homes.emplace_back(home);
}

void AddByLibrary(std::vector<std::string>& homes) {
  // The position in the user database belongs to the whole process.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  ::setpwent();
  std::array<char, 16 * 1024> buffer;
  for (int count = 0; count < kMostUsers; ++count) {
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwent_r(&entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) break;
    if (entry.pw_dir != nullptr) AddHome(homes, entry.pw_dir);
  }
  ::endpwent();
}

Result<std::string> OutputOfGetent() {
  TRY_ASSIGN(Pipe pipe, MakePipe());
  TRY_ASSIGN(const UniqueFd nothing, OpenNullDevice());
  SpawnPlan plan;
  plan.program = "/usr/bin/getent";
  plan.arguments = {"getent", "passwd"};
  plan.environment = {"LC_ALL=C"};
  plan.descriptors = {{nothing.get(), 0}, {pipe.write.get(), 1}, {nothing.get(), 2}};
  TRY_ASSIGN(SpawnedProcess getent, SpawnedProcess::Start(plan));
  pipe.write.reset();
  std::string output(kMostBytes, '\0');
  std::size_t size = 0;
  while (size < output.size()) {
    TRY_ASSIGN(const std::size_t more, Read(pipe.read.get(), std::span(output).subspan(size)));
    if (more == 0) break;
    size += more;
  }
  output.resize(size);
  return output;
}

// name:password:user:group:comment:home:shell
std::string_view HomeOf(std::string_view line) {
  for (int fields = 0; fields < 5; ++fields) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return {};
    line.remove_prefix(colon + 1);
  }
  return line.substr(0, line.find(':'));
}

// As the library itself cannot be asked: by the program that comes with it.
Status AddByProgram(std::vector<std::string>& homes) {
  TRY_ASSIGN(const std::string output, OutputOfGetent());
  std::string_view rest = output;
  for (int count = 0; count < kMostUsers && !rest.empty(); ++count) {
    AddHome(homes, HomeOf(rest.substr(0, rest.find('\n'))));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  if (!homes.empty()) return {};
  Error error;  // even a bare system has root
  error.code = ErrorCode::kUnsupported;
  error.op = "getent";
  return error;
}

}  // namespace

Result<std::vector<std::string>> HomeDirectories() {
  std::vector<std::string> homes;
  if (HasNameServices()) {
    AddByLibrary(homes);
  } else {
    TRY(AddByProgram(homes));
  }
  if (const char* home = std::getenv("HOME"); home != nullptr) AddHome(homes, home);
  return homes;
}

}  // namespace cordon::platform
