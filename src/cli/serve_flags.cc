#include "cli/serve_flags.h"

#include <charconv>
#include <utility>

#include "api/state_place.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/report.h"

namespace cordon::cli {
namespace {

constexpr const char* kUsualAddress = "127.0.0.1:7070";
constexpr std::uint64_t kMostSeconds = std::uint64_t{366} * 24 * 3600;
constexpr std::uint64_t kMostSandboxes = 100'000;

Result<std::optional<std::uint64_t>> Number(const char* flag,
                                            const std::optional<std::string>& text,
                                            std::uint64_t least, std::uint64_t most) {
  if (!text) return std::optional<std::uint64_t>();
  std::uint64_t number = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, failed] = std::from_chars(text->data(), end, number);
  if (failed != std::errc() || stopped != end || number < least || number > most) {
    return UsageError(std::string(flag) + ": " + Quoted(*text) + " is no number from " +
                      std::to_string(least) + " to " + std::to_string(most));
  }
  return std::optional<std::uint64_t>(number);
}

Result<provision::Policy> PolicyOf(const ServeFlags& flags) {
  provision::Policy policy;
  TRY_ASSIGN(const auto most, Number("--max-per-user", flags.most, 1, kMostSandboxes));
  TRY_ASSIGN(const auto pool, Number("--pool", flags.pool, 0, kMostSandboxes));
  TRY_ASSIGN(const auto idle, Number("--idle", flags.idle, 1, kMostSeconds));
  TRY_ASSIGN(const auto lifetime, Number("--lifetime", flags.lifetime, 1, kMostSeconds));
  if (most) policy.most_per_user = *most;
  if (idle) policy.idle = std::chrono::seconds(*idle);
  if (lifetime) policy.lifetime = std::chrono::seconds(*lifetime);
  if (pool && *pool > 0) {
    provision::Policy::Pool ahead;
    ahead.size = *pool;
    policy.pools.push_back(std::move(ahead));
  }
  if (flags.when_idle && *flags.when_idle == "pause") {
    policy.when_idle = provision::Policy::Idle::kPause;
  } else if (flags.when_idle && *flags.when_idle != "end") {
    return UsageError("--when-idle: " + Quoted(*flags.when_idle) + " is neither end nor pause");
  }
  if (flags.full && *flags.full == "refuse") {
    policy.full = provision::Policy::Full::kRefuse;
  } else if (flags.full && *flags.full != "evict") {
    return UsageError("--full: " + Quoted(*flags.full) + " is neither evict nor refuse");
  }
  return policy;
}

Result<policy::Profile> ProfileOf(const ServeFlags& flags) {
  const std::string name = flags.profile.value_or("sandboxed");
  const auto profile = policy::ParseProfile(name);
  if (profile != policy::Profile::kSandboxed && profile != policy::Profile::kInteractive) {
    return UsageError("--profile: " + Quoted(name) + " is neither sandboxed nor interactive");
  }
  return *profile;
}

}  // namespace

void AddStateFlag(CLI::App& command, std::optional<std::string>& state) {
  AddText(command, "--state", state, "Where everything is kept; default: serve in Cordon's own")
      ->type_name("DIR");
}

void AddServeFlags(CLI::App& command, ServeFlags& flags) {
  AddText(command, "--listen", flags.listen,
          "127.0.0.1:8080, [::1]:0 (any free port) or unix:/path; default 127.0.0.1:7070")
      ->type_name("ADDRESS");
  command.add_flag("--listen-anywhere", flags.anywhere,
                   "Let --listen name an address that others can reach: put TLS in front");
  AddStateFlag(command, flags.state);
  AddList(command, "--driver", flags.drivers, "NAME",
          "What makes sandboxes: local, docker+runc or docker+runsc. Repeatable; the first is the "
          "default.");
  AddText(command, "--docker-socket", flags.docker_socket,
          "Where the Docker engine listens; default /var/run/docker.sock")
      ->type_name("PATH");
  AddText(command, "--image", flags.image, "The image of Docker's sandboxes that name none")
      ->type_name("NAME");
  AddText(command, "--pool", flags.pool, "Sandboxes made ahead; default 0")->type_name("N");
  AddText(command, "--max-per-user", flags.most, "Sandboxes of one user; default 20")
      ->type_name("N");
  AddText(command, "--full", flags.full,
          "For one more: evict the one idle longest, or refuse; default evict")
      ->type_name("evict|refuse");
  AddText(command, "--idle", flags.idle, "Seconds without use after which one is ended; 1800")
      ->type_name("SECONDS");
  AddText(command, "--when-idle", flags.when_idle,
          "What happens to it then: it is ended, or paused until it is used again; default end")
      ->type_name("end|pause");
  AddText(command, "--lifetime", flags.lifetime, "Seconds that one lives at most; 86400")
      ->type_name("SECONDS");
  AddList(command, "--ask", flags.asks, "TOOL",
          "A tool, or kind of tool (write, delete, shell), that asks the sandbox's owner over "
          "/v1/approvals. Repeatable.");
  AddText(
      command, "--profile", flags.profile,
      "interactive: tools in the owner's local sandboxes ask before they write, delete, run, or "
      "leave the workspace for this machine's files; default sandboxed, which refuses the last")
      ->type_name("sandboxed|interactive");
  AddPreviewFlags(command, flags.previews);
}

Result<std::string> StateDirectory(const std::optional<std::string>& given) {
  if (given && given->starts_with('/')) return *given;
  if (given) return UsageError("--state: " + Quoted(*given) + " is no absolute path");
  TRY_ASSIGN(const api::StatePlace place, api::FindStatePlace(std::nullopt));
  return place.directory + "/serve";
}

Result<ServeChoices> ParseServeFlags(const ServeFlags& flags) {
  ServeChoices choices;
  TRY_ASSIGN(choices.address, net::ParseHttpAddress(flags.listen.value_or(kUsualAddress)));
  if (flags.anywhere) choices.address.reach = net::HttpAddress::Reach::kAny;
  TRY_ASSIGN(choices.state, StateDirectory(flags.state));
  TRY_ASSIGN(choices.policy, PolicyOf(flags));
  choices.drivers.names = flags.drivers;
  if (choices.drivers.names.empty()) choices.drivers.names.emplace_back("local");
  if (flags.docker_socket) choices.drivers.docker_socket = *flags.docker_socket;
  choices.drivers.image = flags.image.value_or("");
  for (const std::string& name : flags.asks) {
    choices.tools.push_back({name, policy::ToolLevel::kSession, "--ask"});
  }
  TRY_ASSIGN(choices.profile, ProfileOf(flags));
  TRY_ASSIGN(choices.previews, ParsePreviewFlags(flags.previews));
  return choices;
}

}  // namespace cordon::cli
