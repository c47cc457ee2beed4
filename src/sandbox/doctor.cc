#include "sandbox/doctor.h"

#include <array>

#include "base/try.h"
#include "platform/passed_descriptors.h"
#include "platform/spawn.h"

namespace cordon::sandbox {
namespace {

// What is lost without each layer, in the order of kAllLayers.
constexpr std::array<std::string_view, kLayers> kCosts = {
    "files outside are held by the mount namespace alone",
    "commands reach every system call, and the supervisor cannot work",
    "deny rules do not hold for commands, nobody can be asked while they run, and refusals are not "
    "known",
    "no namespaces without root",
    "files outside can be seen by name; commands have neither a /tmp nor a home directory; sockets "
    "by path are held by the supervisor alone",
    "other processes can be seen; processes may live on after the command, inside the line",
    "shared memory of other programs can be reached",
    "the host's name can be seen",
    "no allow list for the network: it is none or full",
    "control groups of others can be seen",
    "memory and processes are counted from outside every moment, so a limit may be passed for an "
    "instant",
    "set-user-id programs would give rights: nothing is started",
    "rights of the user who starts it would be kept: nothing is started",
};

constexpr std::size_t kLongestProbe = 16 * 1024;

Error Unreadable() {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "probe";
  error.detail = "the launcher's account of this machine cannot be read";
  return error;
}

// "landlock yes ABI 7"
Result<Finding> ParseLine(std::string_view line, Layer layer) {
  const std::size_t first = line.find(' ');
  if (line.substr(0, first) != LayerName(layer) || first == std::string_view::npos) {
    return Unreadable();
  }
  std::string_view rest = line.substr(first + 1);
  const std::size_t second = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, second);
  if (word != "yes" && word != "no") return Unreadable();
  Finding finding;
  finding.layer = layer;
  finding.works = word == "yes";
  finding.detail = rest.substr(std::min(second + 1, rest.size()));
  if (!finding.works) finding.cost = kCosts.at(static_cast<std::size_t>(layer));
  return finding;
}

}  // namespace

LayerSet Diagnosis::working() const {
  LayerSet set;
  for (const Finding& finding : layers) {
    if (finding.works) set.Add(finding.layer);
  }
  return set;
}

Result<Diagnosis> Diagnose(const std::string& launcher) {
  TRY_ASSIGN(platform::MessagePair sockets, platform::MakeMessagePair());
  platform::SpawnPlan plan;
  plan.program = launcher;
  plan.arguments = {"cordon-launch", "--probe"};
  plan.descriptors = {{sockets.other.get(), 1}};
  TRY_ASSIGN(platform::SpawnedProcess process, platform::SpawnedProcess::Start(plan));
  sockets.other.reset();
  std::string text;
  while (true) {
    TRY_ASSIGN(const platform::Received message,
               platform::ReceiveMessage(sockets.one.get(), kLongestProbe));
    if (message.bytes.empty()) break;
    text += message.bytes;
    if (text.size() > kLongestProbe) return Unreadable();
  }
  process.Wait();
  Diagnosis diagnosis;
  std::string_view rest = text;
  for (const Layer layer : kAllLayers) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return Unreadable();
    TRY_ASSIGN(Finding finding, ParseLine(rest.substr(0, end), layer));
    diagnosis.layers.push_back(std::move(finding));
    rest.remove_prefix(end + 1);
  }
  return diagnosis;
}

}  // namespace cordon::sandbox
