#include "provision/docker_container.h"

#include <algorithm>

#include "provision/disk_hold.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

constexpr Resources kDefaults = {1.0, std::uint64_t{512} << 20, 256, kUsualDisk};
constexpr std::uint64_t kSharedMemory = std::uint64_t{64} << 20;  // its files in /dev/shm
constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeastProcesses = 16;
constexpr double kLeastCpus = 0.05;
// gVisor's own, and our own program beside what is asked for.
constexpr std::uint64_t kGvisorMemory = std::uint64_t{64} << 20;
constexpr std::uint64_t kGvisorThreads = 512, kOwnProcesses = 8;
constexpr int kOpenFiles = 4096;  // more than the engine itself may have fails the start

Error Bad(ErrorCode code, std::string_view detail) {
  Error error;
  error.code = code;
  error.op = "create";
  error.detail = detail;
  return error;
}

json::array Ulimits(const ContainerPlan& plan) {
  const auto limit = [](std::string_view name, std::uint64_t most) {
    return json::object{{"Name", name}, {"Soft", most}, {"Hard", most}};
  };
  json::array limits = {limit("nofile", kOpenFiles), limit("core", 0)};
  // Counted by gVisor for each sandbox. Linux counts it for the user, whom all share.
  if (IsGvisorRuntime(plan.runtime)) {
    limits.push_back(limit("nproc", plan.terms.resources.processes + kOwnProcesses));
  }
  // What is written to one file ends at the limit for all, however fast.
  limits.push_back(limit("fsize", plan.terms.resources.disk));
  return limits;
}

json::object Tmpfs(const ContainerPlan& plan) {
  const std::string user = std::to_string(plan.user);
  const std::string size = std::to_string(plan.terms.resources.memory / 2);
  std::string whose = size;
  // Some runtimes give it the mode that the image's directory has.
  whose.append(",uid=").append(user).append(",gid=").append(user);
  std::string temporary = "rw,exec,nosuid,nodev,mode=1777,size=";
  temporary += whose;
  std::string home = "rw,exec,nosuid,nodev,mode=0700,size=";
  home += whose;
  return {{"/tmp", temporary}, {kHomeInside, home}};
}

json::array Mounts(const ContainerPlan& plan) {
  return {json::object{{"Type", "bind"},
                       {"Source", plan.places.workspace},
                       {"Target", "/workspace"},
                       {"BindOptions", {{"Propagation", "rprivate"}, {"NonRecursive", true}}}},
          json::object{{"Type", "bind"},
                       {"Source", plan.places.log},
                       {"Target", kLogFolderInside},
                       {"BindOptions", {{"Propagation", "rprivate"}, {"NonRecursive", true}}}},
          json::object{{"Type", "bind"},
                       {"Source", plan.places.tools},
                       {"Target", kToolsInside},
                       {"ReadOnly", true},
                       {"BindOptions", {{"Propagation", "rprivate"}}}}};
}

json::object HostConfig(const ContainerPlan& plan) {
  const Resources& resources = plan.terms.resources;
  return {{"Runtime", plan.runtime},
          {"NetworkMode", "none"},
          {"PublishAllPorts", false},
          {"Privileged", false},
          {"CapAdd", json::array()},
          {"CapDrop", {"ALL"}},
          {"SecurityOpt", {"no-new-privileges"}},
          {"ReadonlyRootfs", true},
          {"Tmpfs", Tmpfs(plan)},
          {"Mounts", Mounts(plan)},
          {"Init", false},  // our own program is the first process, and takes in orphans
          {"IpcMode", "private"},
          {"ShmSize", kSharedMemory},
          {"PidMode", ""},
          {"UTSMode", ""},
          {"CgroupnsMode", "private"},
          {"NanoCpus", static_cast<std::int64_t>(resources.cpus * 1e9)},
          {"Memory", HostMemory(plan)},
          {"MemorySwap", HostMemory(plan)},  // both together: no swap
          {"PidsLimit", HostProcesses(plan)},
          {"Ulimits", Ulimits(plan)},
          {"OomScoreAdj", 500},
          {"RestartPolicy", {{"Name", "no"}}},
          {"AutoRemove", false},
          {"LogConfig", {{"Type", "none"}}}};
}

}  // namespace

bool IsGvisorRuntime(std::string_view runtime) {
  return runtime.find("runsc") != std::string_view::npos ||
         runtime.find("gvisor") != std::string_view::npos;
}

std::string ContainerName(const SandboxId& id) {
  std::string name = "cordon-";
  name += id.text();
  return name;
}

std::string UserOfPrograms(std::uint32_t user) {
  std::string text = std::to_string(user);
  text.append(":").append(std::to_string(user));
  return text;
}

std::string UserOfFirst(std::uint32_t user) { return UserOfPrograms(user + 1); }

std::uint64_t HostMemory(const ContainerPlan& plan) {
  return plan.terms.resources.memory + (IsGvisorRuntime(plan.runtime) ? kGvisorMemory : 0);
}

std::uint64_t HostProcesses(const ContainerPlan& plan) {
  const std::uint64_t inside = plan.terms.resources.processes + kOwnProcesses;
  // One thread of a stub for each of theirs; when there is none left, all of gVisor ends.
  return IsGvisorRuntime(plan.runtime) ? 2 * inside + kGvisorThreads : inside;
}

Result<ContainerPlan> Plan(const DockerSettings& settings, const Terms& terms,
                           const HostPlaces& places, std::uint32_t user) {
  ContainerPlan plan{terms, settings.runtime, settings.owner, places, user};
  if (plan.terms.image.empty()) plan.terms.image = settings.image;
  if (plan.terms.image.empty()) {
    return Bad(ErrorCode::kInvalidArguments, "No image is named, and there is no default.");
  }
  if (terms.network != "none") {
    return Bad(ErrorCode::kUnsupported, "This driver gives no network yet but \"none\".");
  }
  Resources& resources = plan.terms.resources;
  if (resources.cpus == 0) resources.cpus = kDefaults.cpus;
  if (resources.memory == 0) resources.memory = kDefaults.memory;
  if (resources.processes == 0) resources.processes = kDefaults.processes;
  if (resources.disk == 0) resources.disk = kDefaults.disk;
  if (!(resources.cpus >= kLeastCpus && resources.cpus <= 1024) ||
      resources.memory < kLeastMemory || resources.memory > std::uint64_t{1} << 50 ||
      resources.processes < kLeastProcesses || resources.processes > std::uint64_t{1} << 22) {
    return Bad(ErrorCode::kInvalidArguments, "No sandbox can be made with such resources.");
  }
  for (const std::string& variable : terms.environment) {
    if (variable.find('=') == std::string::npos || variable.starts_with('=') ||
        variable.find('\0') != std::string::npos) {
      return Bad(ErrorCode::kInvalidArguments, "A variable is not of the form NAME=value.");
    }
  }
  return plan;
}

json::object CreateBody(const ContainerPlan& plan) {
  std::string home = "HOME=";
  home += kHomeInside;
  json::array environment = {home};
  environment.insert(environment.end(), plan.terms.environment.begin(),
                     plan.terms.environment.end());
  const Resources& resources = plan.terms.resources;
  const json::object asked = {{"runtime", plan.runtime},
                              {"isolation", IsolationName(plan.terms.isolation)},
                              {"cpus", resources.cpus},
                              {"memory", resources.memory},
                              {"processes", resources.processes},
                              {"disk", resources.disk},
                              {"user", plan.user}};
  return {{"Image", plan.terms.image},
          {"User", UserOfFirst(plan.user)},
          {"Entrypoint", {kToolsInside}},
          {"Cmd", {"stay"}},
          {"WorkingDir", "/workspace"},
          {"Env", environment},
          {"Hostname", "sandbox"},
          {"Labels",
           {{kIdLabel, plan.terms.id.text()},
            {kOwnerLabel, plan.owner},
            {kAskedLabel, json::serialize(asked)}}},
          {"NetworkDisabled", true},
          {"AttachStdin", false},
          {"OpenStdin", false},
          {"Tty", false},
          {"StopSignal", "SIGKILL"},
          {"Healthcheck", {{"Test", {"NONE"}}}},  // an image's own would run unasked
          {"HostConfig", HostConfig(plan)}};
}

}  // namespace cordon::provision
