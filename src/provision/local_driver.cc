#include "provision/local_driver.h"

#include <array>
#include <utility>

#include "base/try.h"
#include "platform/control_group.h"
#include "platform/host.h"
#include "provision/disk_exec.h"
#include "provision/fault_point.h"
#include "provision/local_driver_state.h"
#include "provision/local_exec.h"
#include "provision/local_spec.h"

namespace cordon::provision {
namespace {

using platform::UniqueFd;
using sandbox::Resident;

constexpr int kSignalBase = 128;

Error Failure(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "sandbox";
  error.rule = "sandbox";
  error.detail = std::move(detail);
  return error;
}

Error NoSuchSandbox() { return Failure(ErrorCode::kNotFound, "there is no such sandbox"); }

}  // namespace

LocalDriver::~LocalDriver() {
  if (disks_) disks_->Close();
}

Status LocalDriver::Open() {
  disks_ = DiskWatch::Start(DiskHands());
  TRY_ASSIGN(deaths_, DeathWatch::Start([this](const SandboxId& id) { Died(id); }));
  return {};
}

void LocalDriver::Died(const SandboxId& id) {
  OnDeath died;
  {
    const std::lock_guard lock(mutex_);
    died = died_;
  }
  if (died) died(id);
}

std::shared_ptr<Local> LocalDriver::LocalOf(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Local>& local = locals_[id];
  if (!local) local = std::make_shared<Local>();
  return local;
}

// Of one that was not made here, what another process made.
Result<std::shared_ptr<Resident>> LocalDriver::Use(const SandboxId& id) {
  TRY_ASSIGN(const Marker marker, homes_.Read(id));
  const std::shared_ptr<Local> local = LocalOf(id);
  const std::lock_guard lock(local->making);
  if (!local->resident) {
    if (marker.making != Found::Making::kFinished) return NoSuchSandbox();
    TRY_ASSIGN(const auto network, policy::NetworkRules::Parse(marker.network));
    TRY(Attached(id, network, marker, DiskWatch::Origin::kFound, *local));
  }
  return local->resident;
}

Status LocalDriver::Probe() {
  platform::ControlGroup::RemoveAbandoned(platform::LastProcess::kIsGone);
  // What a machine lacks is told by the attempt itself, layer by layer.
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(platform::RandomNumber());
  const Terms terms{SandboxId::FromRandom(random), "", {}, {}, "none", Isolation::kKernelLine};
  const auto made = Create(terms);
  Status destroyed = Destroy(terms.id);
  if (!made) {
    Error error = made.error();
    error.code = ErrorCode::kUnsupported;
    return error;
  }
  return destroyed;
}

Result<Facts> LocalDriver::Create(const Terms& terms) {
  TRY_ASSIGN(const auto network, policy::NetworkRules::Parse(terms.network));
  if (terms.isolation > Isolation::kKernelLine) {
    return Failure(ErrorCode::kSandboxRequired, "the local driver has no such isolation");
  }
  if (!terms.image.empty()) {
    return Failure(ErrorCode::kInvalidArguments, "the local driver has no images");
  }
  const std::shared_ptr<Local> local = LocalOf(terms.id);
  const std::lock_guard lock(local->making);
  if (local->resident) return Failure(ErrorCode::kAlreadyExists, "there is such a sandbox");
  Marker marker{Found::Making::kHalfDone, terms.network, terms.resources};
  if (Status made = homes_.Make(terms.id, marker); !made) {
    if (made.error().code != ErrorCode::kAlreadyExists) {
      static_cast<void>(homes_.Remove(terms.id));
    }
    return std::move(made.error());
  }
  FaultPoint("local.furnished");
  auto facts = Made(terms, network, marker, *local);
  if (facts) {
    FaultPoint("local.attached");
    marker.making = Found::Making::kFinished;
    if (Status written = homes_.Write(terms.id, marker); !written) {
      facts = std::move(written.error());
    }
    FaultPoint("local.finished");
  }
  // Nothing is left behind; if that fails as well, List finds it.
  if (!facts) static_cast<void>(Ended(terms.id, *local));
  return facts;
}

Result<Facts> LocalDriver::Made(const Terms& terms, const policy::NetworkRules& network,
                                const Marker& marker, Local& local) {
  const sandbox::Spec spec = LocalSpec(terms, network, homes_.WorkspaceOf(terms.id), homes_.path());
  TRY_ASSIGN(const sandbox::LayerSet layers,
             Resident::Start(spec, homes_.ControlOf(terms.id), options_.launcher));
  FaultPoint("local.launched");
  if (IsolationOf(layers) < terms.isolation) {
    return Failure(ErrorCode::kSandboxRequired, "this machine gives less isolation than asked for");
  }
  return Attached(terms.id, network, marker, DiskWatch::Origin::kMade, local);
}

Result<Facts> LocalDriver::Attached(const SandboxId& id, const policy::NetworkRules& network,
                                    const Marker& marker, DiskWatch::Origin origin, Local& local) {
  TRY_ASSIGN(std::shared_ptr<Resident> resident, Resident::Attach(homes_.ControlOf(id)));
  TRY_ASSIGN(const sandbox::Seen seen, resident->LookBriefly());
  local.resident = std::move(resident);
  if (Status open = OpenNetwork(id, network, local); !open) {
    local.resident.reset();
    return std::move(open.error());
  }
  deaths_->Add(id, local.resident->gone());
  Facts facts = FactsOf(id, marker, seen);
  disks_->Add(id, facts.resources.disk, facts.disk_hold, origin);
  return facts;
}

Status LocalDriver::OpenNetwork(const SandboxId& id, const policy::NetworkRules& network,
                                Local& local) {
  if (network.mode() != policy::NetworkMode::kAllowList) return {};
  TRY_ASSIGN(Resident::Listeners listeners, local.resident->ProxyListeners());
  net::EgressProxy::Parts parts;
  parts.http_listener = std::move(listeners.http);
  parts.socks_listener = std::move(listeners.socks);
  parts.rules = network;
  if (options_.connected) {
    parts.observer = [told = options_.connected, id](const net::EgressRequest& request) {
      told(id, request);
    };
  }
  TRY_ASSIGN(local.proxy, net::EgressProxy::Start(std::move(parts)));
  return {};
}

// The one that this process has, unless somebody is at it.
std::shared_ptr<Resident> LocalDriver::Held(const SandboxId& id) {
  std::shared_ptr<Local> local;
  {
    const std::lock_guard lock(mutex_);
    const auto found = locals_.find(id);
    if (found == locals_.end()) return nullptr;
    local = found->second;
  }
  const std::unique_lock lock(local->making, std::try_to_lock);
  return lock ? local->resident : nullptr;
}

Liveness LocalDriver::LivenessOf(const SandboxId& id) {
  std::shared_ptr<Resident> resident = Held(id);
  if (!resident) {
    auto attached = Resident::Attach(homes_.ControlOf(id));
    if (!attached) return Liveness::kDead;
    resident = std::move(*attached);
  }
  const auto seen = resident->LookBriefly();
  if (!seen) {
    return seen.error().code == ErrorCode::kNotFound ? Liveness::kDead : Liveness::kRunning;
  }
  return seen->state == sandbox::Seen::State::kFrozen ? Liveness::kPaused : Liveness::kRunning;
}

Facts LocalDriver::FactsOf(const SandboxId& id, const Marker& marker,
                           const sandbox::Seen& seen) const {
  Facts facts = LocalFacts(seen, homes_.Of(id));
  facts.resources.disk = DiskOf(marker.resources);
  facts.disk_hold = HoldOf(id, facts.resources.disk);
  return facts;
}

Result<std::vector<Found>> LocalDriver::List() {
  TRY_ASSIGN(const std::vector<SandboxId> all, homes_.All());
  std::vector<Found> found;
  for (const SandboxId& id : all) {
    const auto marker = homes_.Read(id);
    if (!marker) continue;  // removed meanwhile
    Found one{id, homes_.Of(id)};
    one.making = marker->making;
    one.liveness = LivenessOf(id);
    // Somebody looks every few seconds, and a program may write for ever.
    static_cast<void>(homes_.TrimLog(id));
    found.push_back(std::move(one));
  }
  return found;
}

Result<Facts> LocalDriver::Adopt(const SandboxId& id) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  TRY_ASSIGN(const sandbox::Seen seen, resident->LookBriefly());
  TRY_ASSIGN(const Marker marker, homes_.Read(id));
  return FactsOf(id, marker, seen);
}

// Whoever waits for `local.making` afterwards finds nothing of it.
Status LocalDriver::Ended(const SandboxId& id, Local& local) {
  deaths_->Forget(id);
  disks_->Forget(id);
  local.proxy.reset();
  std::shared_ptr<Resident> resident = std::exchange(local.resident, nullptr);
  if (!resident) {
    if (auto attached = Resident::Attach(homes_.ControlOf(id))) resident = std::move(*attached);
  }
  FaultPoint("local.ending");
  if (resident) TRY(resident->End());
  FaultPoint("local.ended");
  // A launcher that was killed could not take its control group away.
  const bool orderly = Resident::HowItEnded(homes_.ControlOf(id)).has_value();
  TRY(homes_.Remove(id));
  FaultPoint("local.removed");
  if (!orderly) platform::ControlGroup::RemoveAbandoned(platform::LastProcess::kMayBeLeaving);
  return {};
}

Status LocalDriver::Destroy(const SandboxId& id) {
  if (!homes_.Read(id)) return {};
  const std::shared_ptr<Local> local = LocalOf(id);
  {
    const std::lock_guard lock(local->making);
    TRY(Ended(id, *local));
  }
  const std::lock_guard lock(mutex_);
  const auto found = locals_.find(id);
  // Somebody may make it anew already.
  if (found != locals_.end() && found->second == local && local.use_count() == 2) {
    locals_.erase(found);
  }
  return {};
}

Result<Ending> LocalDriver::Autopsy(const SandboxId& id) {
  if (const auto there = homes_.Read(id); !there) return NoSuchSandbox();
  Ending ending;
  ending.last_lines = homes_.EndOfLog(id);
  const auto epitaph = Resident::HowItEnded(homes_.ControlOf(id));
  if (!epitaph) return ending;
  ending.exit_status = epitaph->signal != 0 ? kSignalBase + epitaph->signal : epitaph->status;
  switch (epitaph->memory) {
    case sandbox::Epitaph::Memory::kUnknown: break;
    case sandbox::Epitaph::Memory::kEnough: ending.memory = Ending::Memory::kEnough; break;
    case sandbox::Epitaph::Memory::kRanOut: ending.memory = Ending::Memory::kRanOut; break;
  }
  return ending;
}

Status LocalDriver::Pause(const SandboxId& id) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  return resident->Pause();
}

Status LocalDriver::Resume(const SandboxId& id) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  TRY(resident->Resume());
  disks_->Touch(id);
  return {};
}

Result<std::unique_ptr<Exec>> LocalDriver::Start(const SandboxId& id, const ExecTerms& terms) {
  TRY_ASSIGN(std::shared_ptr<Resident> resident, Use(id));
  UniqueFd log;
  if (terms.bond == ExecTerms::Bond::kDetached && !terms.terminal) {
    TRY_ASSIGN(log, homes_.OpenLog(id));
  }
  auto run = disks_->Begin(id);
  TRY_ASSIGN(std::unique_ptr<Exec> exec,
             StartLocalExec(std::move(resident), terms, std::move(log)));
  return WithDiskWatch(std::move(run), std::move(exec));
}

Result<Usage> LocalDriver::Inspect(const SandboxId& id) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  TRY_ASSIGN(sandbox::Seen seen, resident->Inspect());
  Usage usage;
  usage.cpu = seen.cpu;
  usage.memory = seen.memory;
  usage.peak_memory = seen.peak_memory;
  usage.disk = disks_->Use(id).value_or(0);
  for (sandbox::SeenProcess& process : seen.processes) {
    usage.processes.push_back({process.process, process.parent, std::move(process.program),
                               std::move(process.arguments), process.memory, process.cpu});
  }
  usage.ports = std::move(seen.ports);
  return usage;
}

Status LocalDriver::Signal(const SandboxId& id, std::uint32_t process, int signal) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  return resident->Signal(process, signal);
}

Result<UniqueFd> LocalDriver::Connect(const SandboxId& id, std::uint16_t port) {
  TRY_ASSIGN(const std::shared_ptr<Resident> resident, Use(id));
  return resident->Connect(port);
}

Result<FileAccess> LocalDriver::Files(const SandboxId& id) {
  if (const auto there = homes_.Read(id); !there) return NoSuchSandbox();
  return FileAccess{FileAccess::Way::kDirectory, homes_.WorkspaceOf(id),
                    FileAccess::Around::kThisHost};
}

Result<std::unique_ptr<Driver>> MakeLocalDriver(LocalOptions options) {
  TRY_ASSIGN(LocalHomes homes, LocalHomes::Open(options.directory));
  auto driver = std::make_unique<LocalDriver>(std::move(options), std::move(homes));
  TRY(driver->Open());
  return std::unique_ptr<Driver>(std::move(driver));
}

}  // namespace cordon::provision
