#include "cli/command_flags.h"

#include <charconv>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/companion.h"
#include "cli/egress.h"
#include "cli/report.h"
#include "platform/host.h"
#include "sandbox/environment.h"
#include "sandbox/system_places.h"

namespace cordon::cli {
namespace {

constexpr const char* kGroup = "Command";
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
// Enough for any build; a fork bomb ends here.
constexpr std::uint64_t kDefaultProcesses = 4096;
constexpr std::uint64_t kDefaultSpace = 2048 * kMebibyte;

Result<std::uint64_t> ParseNumber(const std::string& flag, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || number == 0 ||
      number > (std::uint64_t{1} << 40)) {
    return UsageError(flag + ": " + Quoted(text) + " is not a number above 0");
  }
  return number;
}

// Leaves `value` alone when the flag was not given.
Status Set(std::uint64_t& value, const std::string& flag, const std::optional<std::string>& text,
           std::uint64_t unit) {
  if (!text) return {};
  TRY_ASSIGN(const std::uint64_t number, ParseNumber(flag, *text));
  value = number * unit;
  return {};
}

Result<sandbox::Limits> ParseLimits(const CommandFlags& flags) {
  sandbox::Limits limits;
  limits.processes = kDefaultProcesses;
  limits.private_space = kDefaultSpace;
  std::uint64_t wall = 0;
  std::uint64_t cpu = 0;
  TRY(Set(wall, "--timeout", flags.timeout, 1));
  TRY(Set(cpu, "--cpu", flags.cpu, 1));
  TRY(Set(limits.memory, "--memory", flags.memory, kMebibyte));
  TRY(Set(limits.processes, "--processes", flags.processes, 1));
  TRY(Set(limits.open_files, "--open-files", flags.open_files, 1));
  TRY(Set(limits.file_size, "--file-size", flags.file_size, kMebibyte));
  TRY(Set(limits.written, "--disk", flags.disk, kMebibyte));
  TRY(Set(limits.private_space, "--space", flags.space, kMebibyte));
  limits.wall = std::chrono::seconds(wall);
  limits.cpu = std::chrono::seconds(cpu);
  return limits;
}

// Without these a command could undo the rest; deny rules hold only with the supervisor, and
// a policy is never held in part without being told to.
constexpr auto kIndispensable = {sandbox::Layer::kNoNewPrivileges, sandbox::Layer::kCapabilities,
                                 sandbox::Layer::kSyscallFilter, sandbox::Layer::kSupervisor};

std::string HomeOf(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    if (variable.starts_with("HOME=/")) return variable.substr(5);
  }
  return {};
}

}  // namespace

void AddCommandFlags(CLI::App& command, CommandFlags& flags) {
  const auto text = [&command](const std::string& name, std::optional<std::string>& value,
                               const std::string& type, const std::string& help) {
    AddText(command, name, value, help)->type_name(type)->group(kGroup);
  };
  text("--net", flags.network, "WHAT", "none (default), full, or allow:HOST[:PORT],*.DOMAIN,...");
  AddList(command, "--env", flags.environment, "NAME[=VALUE]",
          "A variable the command gets in addition to the harmless ones. Repeatable.")
      ->group(kGroup);
  text("--timeout", flags.timeout, "SECONDS", "End it after this time");
  text("--cpu", flags.cpu, "SECONDS", "Processor time of all its processes");
  text("--memory", flags.memory, "MIB", "Memory of all its processes");
  text("--processes", flags.processes, "N", "Processes and threads; default 4096");
  text("--open-files", flags.open_files, "N", "Open files of one process");
  text("--file-size", flags.file_size, "MIB", "Size of one file it writes");
  text("--disk", flags.disk, "MIB", "What all its processes may write to disks");
  text("--space", flags.space, "MIB", "Size of its private /tmp and home; default 2048");
  AddList(command, "--require", flags.required, "LAYER",
          "Do not start without this layer, or 'all'; see 'cordon doctor'. Repeatable.")
      ->group(kGroup);
  AddWithoutFlag(command, flags.without, "Leave a layer out, for finding faults. Repeatable.");
}

void AddWithoutFlag(CLI::App& command, std::vector<std::string>& layers, const std::string& help) {
  AddList(command, "--without", layers, "LAYER", help)->group(kGroup);
}

Result<sandbox::LayerSet> ParseLayers(const std::string& flag,
                                      const std::vector<std::string>& names) {
  sandbox::LayerSet layers;
  for (const std::string& name : names) {
    if (name == "all") {
      layers = sandbox::LayerSet::All();
      continue;
    }
    const std::optional<sandbox::Layer> layer = sandbox::ParseLayer(name);
    if (!layer) {
      std::string known;
      for (const sandbox::Layer each : sandbox::kAllLayers) {
        known += known.empty() ? "" : ", ";
        known += sandbox::LayerName(each);
      }
      std::string wrong = flag + ": " + Quoted(name);
      return UsageError(wrong.append(" is not a layer; there are ").append(known));
    }
    layers.Add(*layer);
  }
  return layers;
}

Result<sandbox::LayerSet> ParseLeftOut(const std::vector<std::string>& names) {
  TRY_ASSIGN(sandbox::LayerSet left_out, ParseLayers("--without", names));
  if (left_out.Has(sandbox::Layer::kMountNamespace)) left_out.Add(sandbox::Layer::kPidNamespace);
  return left_out;
}

Result<std::shared_ptr<const guard::CommandSupport>> ParseCommandFlags(const CommandFlags& flags) {
  auto support = std::make_shared<guard::CommandSupport>();
  TRY_ASSIGN(support->launcher, FindLauncher());
  const std::vector<std::string> own = platform::OwnEnvironment();
  TRY_ASSIGN(support->environment, sandbox::CommandEnvironment(own, flags.environment));
  support->home = HomeOf(support->environment);
  TRY_ASSIGN(CommandNetwork network, ParseNetworkFlag(flags.network));
  support->network = network.network;
  support->egress = std::move(network.egress);
  TRY_ASSIGN(support->limits, ParseLimits(flags));
  TRY_ASSIGN(const sandbox::LayerSet without, ParseLeftOut(flags.without));
  TRY_ASSIGN(const sandbox::LayerSet named, ParseLayers("--without", flags.without));
  TRY_ASSIGN(support->required, ParseLayers("--require", flags.required));
  support->wanted = sandbox::LayerSet::All().Without(without);
  if (!support->wanted.Includes(support->required)) {
    return UsageError("--require names a layer that --without leaves out, itself or one it needs");
  }
  if (without.Has(sandbox::Layer::kPidNamespace) && !named.Has(sandbox::Layer::kPidNamespace)) {
    PrintWarnings({"--without mount-namespace leaves out pid-namespace, too, which needs it"});
  }
  support->required = support->required.Union(sandbox::LayerSet(kIndispensable).Without(without));
  return std::shared_ptr<const guard::CommandSupport>(std::move(support));
}

}  // namespace cordon::cli
