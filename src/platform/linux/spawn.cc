#include "platform/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

// Above every number a plan names, so that no copy runs over another.
constexpr int kFirstFree = 64;

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec's own signature
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

SpawnedProcess::SpawnedProcess(SpawnedProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)) {}

SpawnedProcess& SpawnedProcess::operator=(SpawnedProcess&& other) noexcept {
  if (this != &other) {
    Kill();
    Wait();
    id_ = std::exchange(other.id_, -1);
  }
  return *this;
}

SpawnedProcess::~SpawnedProcess() {
  Kill();
  Wait();
}

Result<SpawnedProcess> SpawnedProcess::Start(const SpawnPlan& plan) {
  FileActions actions;
  Attributes attributes;
  std::vector<UniqueFd> moved;
  for (const SpawnPlan::Descriptor& descriptor : plan.descriptors) {
    UniqueFd copy(fcntl(descriptor.from, F_DUPFD_CLOEXEC, kFirstFree));
    if (!copy.valid()) return ErrorFromErrno("dup", errno);
    const int failed = posix_spawn_file_actions_adddup2(actions.get(), copy.get(), descriptor.to);
    if (failed != 0) return ErrorFromErrno("posix_spawn", failed);
    moved.push_back(std::move(copy));
  }
  const std::vector<char*> arguments = Pointers(plan.arguments);
  const std::vector<char*> environment = Pointers(plan.environment);
  SpawnedProcess process;
  const int failed = posix_spawn(&process.id_, plan.program.c_str(), actions.get(),
                                 attributes.get(), arguments.data(), environment.data());
  if (failed != 0) {
    process.id_ = -1;
    return ErrorFromErrno("posix_spawn", failed);
  }
  return process;
}

void SpawnedProcess::Wait() {
  if (id_ < 0) return;
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
}

void SpawnedProcess::Kill() {
  if (id_ >= 0) kill(id_, SIGKILL);
}

Result<UniqueFd> MakeUnnamedFile() {
  UniqueFd file(memfd_create("cordon", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid()) return ErrorFromErrno("memfd_create", errno);
  return file;
}

Status FillAndSeal(int unnamed_file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(unnamed_file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return ErrorFromErrno("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (fcntl(unnamed_file, F_ADD_SEALS, kSeals) != 0) return ErrorFromErrno("seal", errno);
  return {};
}

}  // namespace cordon::platform
