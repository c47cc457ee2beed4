// What this machine can hold a command with, tried out and not guessed.
#pragma once

#include <string>
#include <vector>

#include "cordon/result.h"
#include "sandbox/layer.h"

namespace cordon::sandbox {

struct Finding {
  Layer layer = Layer::kLandlock;
  bool works = false;
  std::string detail;  // "ABI 7", "v1 controllers memory, pids", "EPERM from unshare"
  std::string cost;    // what is lost without it; empty when it works
};

// In the order of kAllLayers.
struct Diagnosis {
  std::vector<Finding> layers;
  LayerSet working() const;
};

// `launcher`: see Command::Start. Starts processes that try each layer and end at once.
Result<Diagnosis> Diagnose(const std::string& launcher);

// What someone inside may try, by what stops it.
enum class Threat {
  kReadOutside,        // files in no place
  kChangeOutside,      //
  kDeniedNames,        // what a deny rule covers, inside a place
  kChangeReadOnly,     // a read-only place nested in a writable one
  kOtherProcesses,     // memory, signals, descriptors of processes outside
  kAbstractSockets,    //
  kPathSockets,        // sockets by name, outside
  kNetwork,            //
  kSharedMemory,       // of processes outside
  kPrivileges,         // set-user-id programs, capabilities
  kKernelSurface,      // io_uring, bpf, keyrings, mounts, new user namespaces ...
  kTerminalInjection,  //
  kSurvival,           // processes that outlive the command
  kTakeOverMachine,    // fork bombs, memory, disk: bounded by limits
};
std::string_view ThreatName(Threat threat);

// Whether a command held by `layers` cannot do it, as far as this design goes. The escape
// tests try each threat under each set for which this says so.
bool Covers(const LayerSet& layers, Threat threat);

}  // namespace cordon::sandbox
