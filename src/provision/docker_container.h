// A sandbox as a container: everything that is asked of the engine, in one place.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>

#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::provision {

struct DockerSettings {
  std::string socket = "/var/run/docker.sock";
  std::string runtime = "runc";  // or "runsc", as the engine knows it
  std::string image;             // for Terms that name none
  // Private to this server, absolute; the sandboxes' workspaces are made in it.
  std::string directory;
  // The static program that is mounted into every sandbox, absolute.
  std::string tools;
  // Tells this server's sandboxes from those of another one at the same engine.
  std::string owner = "cordon";
};

inline constexpr std::string_view kIdLabel = "cordon.sandbox";
inline constexpr std::string_view kOwnerLabel = "cordon.owner";
inline constexpr std::string_view kAskedLabel = "cordon.asked";
inline constexpr std::string_view kToolsInside = "/.cordon/cordon-tools";
inline constexpr std::string_view kLogFolderInside = "/.cordon/log";
inline constexpr std::string_view kHomeInside = "/home/cordon";

// Whether programs there see gVisor's kernel instead of the host's.
bool IsGvisorRuntime(std::string_view runtime);

std::string ContainerName(const SandboxId& id);

// What is mounted, absolute.
struct HostPlaces {
  std::string workspace;
  std::string log;  // the folder of what detached programs said last
  std::string tools;
};

struct ContainerPlan {
  Terms terms;  // complete: no default is left to be filled in
  std::string runtime, owner;
  HostPlaces places;
  std::uint32_t user = 1000;  // and group
};

// Fills in what Terms leave open. Errors: kInvalidArguments; kUnsupported for a network.
Result<ContainerPlan> Plan(const DockerSettings& settings, const Terms& terms,
                           const HostPlaces& places, std::uint32_t user);
// "USER:GROUP" of programs, and of the first process: another one, so that nothing inside can
// signal it or look into it.
std::string UserOfPrograms(std::uint32_t user);
std::string UserOfFirst(std::uint32_t user);
// What the host sees of `memory` and `processes` inside.
std::uint64_t HostMemory(const ContainerPlan& plan);
std::uint64_t HostProcesses(const ContainerPlan& plan);

boost::json::object CreateBody(const ContainerPlan& plan);

}  // namespace cordon::provision
