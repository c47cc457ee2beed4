#include "provision/disk_hold.h"

#include <algorithm>
#include <mutex>

#include "base/try.h"
#include "platform/host.h"
#include "platform/project_quota.h"

namespace cordon::provision {
namespace {

constexpr std::uint64_t kBytesPerFile = 4096;
constexpr std::uint64_t kFewestFiles = 4096, kMostFiles = 1'000'000;

// Numbers that people do not give to projects by hand.
constexpr std::uint32_t kFirstProject = 0x40000000, kProjects = 0x3fffffff;
constexpr int kTries = 64;

Error Nothing(std::string_view detail) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "quota";
  error.detail = detail;
  return error;
}

// One that nothing belongs to and nobody has limited.
Result<std::uint32_t> FreeProject(int directory) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto project =
        kFirstProject + static_cast<std::uint32_t>(platform::RandomNumber() % kProjects);
    TRY_ASSIGN(const platform::ProjectUse use, platform::UseOfProject(directory, project));
    if (use.files == 0 && use.bytes == 0 && use.most_bytes == 0 && use.most_files == 0) {
      return project;
    }
  }
  return Nothing("no number is free for a project");
}

// Another one is none of ours.
bool IsOurs(std::uint32_t project) {
  return project >= kFirstProject && project - kFirstProject < kProjects;
}

}  // namespace

std::uint64_t DiskOf(const Resources& resources) {
  return resources.disk != 0 ? resources.disk : kUsualDisk;
}

TreeUse MostOf(std::uint64_t disk) {
  return {disk, std::clamp(disk / kBytesPerFile, kFewestFiles, kMostFiles)};
}

bool IsBeyond(const TreeUse& use, const TreeUse& bound) {
  return use.bytes > bound.bytes || use.files > bound.files;
}

Error NoRoom() {
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.op = "disk";
  error.rule = "disk";
  error.detail = "the sandbox's disk is full: remove something first";
  return error;
}

Status SetDiskQuota(int directory, const TreeUse& most) {
  TRY(platform::CheckProjectQuota(directory));
  // Found free and taken in one step.
  static std::mutex choosing;
  const std::lock_guard lock(choosing);
  TRY_ASSIGN(const std::uint32_t project, FreeProject(directory));
  TRY(platform::SetProject(directory, project));
  return platform::LimitProject(directory, project, most.bytes, most.files);
}

void ExemptFromQuota(int directory) {
  const auto project = platform::ProjectOf(directory);
  if (project && IsOurs(*project)) static_cast<void>(platform::SetProject(directory, 0));
}

Status ClearDiskQuota(int directory) {
  const auto project = platform::ProjectOf(directory);
  if (!project || !IsOurs(*project)) return {};
  return platform::LimitProject(directory, *project, 0, 0);
}

Result<TreeUse> UseByQuota(int directory, const TreeUse& most) {
  TRY(platform::CheckProjectQuota(directory));
  TRY_ASSIGN(const std::uint32_t project, platform::ProjectOf(directory));
  if (project == 0) return Nothing("the directory belongs to no project");
  TRY_ASSIGN(const platform::ProjectUse use, platform::UseOfProject(directory, project));
  const auto holds = [](std::uint64_t held, std::uint64_t wanted) {
    return held != 0 && held <= wanted;
  };
  if (!holds(use.most_bytes, most.bytes) || !holds(use.most_files, most.files)) {
    return Nothing("the project has no such limit");
  }
  return TreeUse{use.bytes, use.files};
}

}  // namespace cordon::provision
