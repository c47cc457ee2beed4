#include "provision/docker_driver.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "base/try.h"
#include "platform/local_socket.h"
#include "provision/docker_driver_state.h"
#include "provision/docker_isolation.h"
#include "provision/fault_point.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

constexpr std::uint32_t kUserInside = 1000;
constexpr std::size_t kLastBytes = std::size_t{16} << 10;
constexpr int kRemovalTries = 100;
constexpr std::chrono::milliseconds kBetweenTries{100};

Error Refusal(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "docker";
  error.detail = std::move(detail);
  return error;
}

std::string OwnLabel(const DockerSettings& settings) {
  std::string label(kOwnerLabel);
  label.append("=").append(settings.owner);
  return label;
}

Liveness LivenessOf(std::string_view state) {
  if (state == "running") return Liveness::kRunning;
  return state == "paused" ? Liveness::kPaused : Liveness::kDead;
}

}  // namespace

Result<std::unique_ptr<Driver>> MakeDockerDriver(const DockerSettings& settings) {
  TRY_ASSIGN(DockerWorkspaces workspaces, DockerWorkspaces::Open(settings.directory));
  TRY_ASSIGN(const std::uint32_t own, platform::OwnUser());
  // Only root can give files away; else sandboxes have our own user.
  const std::uint32_t user = own == 0 ? kUserInside : own;
  return std::unique_ptr<Driver>(
      std::make_unique<DockerDriver>(settings, std::move(workspaces), user));
}

DockerDriver::DockerDriver(const DockerSettings& settings, DockerWorkspaces workspaces,
                           std::uint32_t user)
    : settings_(settings),
      name_("docker+" + settings.runtime),
      label_(OwnLabel(settings)),
      user_(user),
      workspaces_(std::move(workspaces)),
      api_(settings.socket),
      disks_(DiskWatch::Start(DiskHands())) {}

DockerDriver::~DockerDriver() {
  watch_.reset();
  HangUpTools();
  disks_->Close();
}

Status DockerDriver::Probe() {
  const Result<DockerApi::Engine> engine = api_.Describe();
  if (!engine) {
    return Refusal(ErrorCode::kUnsupported,
                   "No container engine answers at its socket: " + engine.error().detail);
  }
  const auto& runtimes = engine->runtimes;
  if (std::find(runtimes.begin(), runtimes.end(), settings_.runtime) == runtimes.end()) {
    return Refusal(ErrorCode::kUnsupported,
                   "The container engine has no runtime \"" + settings_.runtime + "\".");
  }
  return {};
}

Result<Facts> DockerDriver::Create(const Terms& terms) {
  const Isolation most =
      IsGvisorRuntime(settings_.runtime) ? Isolation::kGvisor : Isolation::kContainer;
  if (terms.isolation > most) {
    return Refusal(ErrorCode::kSandboxRequired, "The runtime \"" + settings_.runtime +
                                                    "\" gives less isolation than asked for.");
  }
  TRY_ASSIGN(const ContainerPlan plan, Plan(settings_, terms, PlacesOf(terms.id), user_));
  Watcher();
  const std::shared_ptr<std::mutex> one = LockOf(terms.id);
  const std::lock_guard lock(*one);
  // Whoever made it makes the rest.
  TRY(workspaces_.Make(terms.id, user_, plan.terms.resources.disk));
  FaultPoint("docker.directory_made");
  Result<Facts> facts = Build(plan);
  if (!facts) static_cast<void>(Remove(terms.id));
  return facts;
}

Result<Facts> DockerDriver::Build(const ContainerPlan& plan) {
  const Result<std::string> made = api_.Create(ContainerName(plan.terms.id), CreateBody(plan));
  if (!made) {
    Error error = made.error();
    if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kInvalidArguments;  // no image
    return error;
  }
  FaultPoint("docker.container_made");
  TRY(api_.Start(ContainerName(plan.terms.id)));
  FaultPoint("docker.container_started");
  TRY_ASSIGN(Facts facts, ReadBack(plan));
  FaultPoint("docker.container_checked");
  TRY(workspaces_.MarkFinished(plan.terms.id));
  FaultPoint("docker.finished");
  HoldDisk(plan.terms.id, plan.terms.resources.disk, DiskWatch::Origin::kMade, facts);
  Watcher().Expect(plan.terms.id);
  return facts;
}

Result<Facts> DockerDriver::ReadBack(const ContainerPlan& plan) {
  TRY_ASSIGN(const json::object inspected, api_.Inspect(ContainerName(plan.terms.id)));
  TRY(CheckEngineWord(inspected, plan));
  TRY_ASSIGN(const inside::View view, Look(plan.terms.id));
  return CheckInside(inspected, view, plan);
}

Result<std::vector<Found>> DockerDriver::List() {
  // Directories first: a sandbox made meanwhile is then not taken for one without a container.
  TRY_ASSIGN(const std::vector<SandboxId> directories, workspaces_.List());
  TRY_ASSIGN(const json::array containers, api_.List(label_));
  std::set<SandboxId> alone(directories.begin(), directories.end());
  std::vector<Found> all;
  for (const json::value& one : containers) {
    if (!one.is_object()) continue;
    const json::object& container = one.get_object();
    const auto id = SandboxId::Parse(TextAt(ObjectAt(container, "Labels"), kIdLabel));
    if (!id) continue;
    Found found{*id, TextAt(container, "Id"), LivenessOf(TextAt(container, "State")),
                Found::Making::kFinished};
    if (!workspaces_.IsFinished(*id)) found.making = Found::Making::kHalfDone;
    alone.erase(*id);
    all.push_back(std::move(found));
  }
  for (const SandboxId& id : alone) {
    const auto making =
        workspaces_.IsFinished(id) ? Found::Making::kFinished : Found::Making::kHalfDone;
    all.push_back({id, "", Liveness::kDead, making});
  }
  return all;
}

Result<Facts> DockerDriver::Adopt(const SandboxId& id) {
  TRY_ASSIGN(const json::object inspected, api_.Inspect(ContainerName(id)));
  const std::string state = TextAt(ObjectAt(inspected, "State"), "Status");
  if (LivenessOf(state) == Liveness::kDead || !workspaces_.IsFinished(id)) {
    return Refusal(ErrorCode::kNotFound, "The sandbox is dead, or was never finished.");
  }
  TRY_ASSIGN(ContainerPlan plan, PlanOfLabel(inspected, id));
  plan.places = PlacesOf(id);
  TRY(CheckEngineWord(inspected, plan));
  // What stands still cannot be looked into; the engine's word was checked when it was made.
  inside::View view;
  if (LivenessOf(state) == Liveness::kPaused) {
    TRY(api_.Unpause(ContainerName(id)));
    Result<inside::View> seen = Look(id);
    TRY(api_.Pause(ContainerName(id)));
    TRY_ASSIGN(view, std::move(seen));
  } else {
    TRY_ASSIGN(view, Look(id));
  }
  TRY_ASSIGN(Facts facts, CheckInside(inspected, view, plan));
  HoldDisk(id, DiskOf(plan.terms.resources), DiskWatch::Origin::kFound, facts);
  Watcher().Expect(id);
  return facts;
}

HostPlaces DockerDriver::PlacesOf(const SandboxId& id) const {
  return {workspaces_.PathOf(id), workspaces_.LogFolderOf(id), settings_.tools};
}

std::shared_ptr<std::mutex> DockerDriver::LockOf(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(making_, [](const auto& one) { return one.second.expired(); });
  std::shared_ptr<std::mutex> own = making_[id].lock();
  if (!own) making_[id] = own = std::make_shared<std::mutex>();
  return own;
}

Status DockerDriver::Destroy(const SandboxId& id) {
  const std::shared_ptr<std::mutex> one = LockOf(id);
  const std::lock_guard lock(*one);
  return Remove(id);
}

Status DockerDriver::Remove(const SandboxId& id) {
  Watcher().Forget(id);
  disks_->Forget(id);
  // What stands still takes its time to die; most do not, which is no error.
  static_cast<void>(api_.Unpause(ContainerName(id)));
  for (int tries = 0;; ++tries) {
    const Status removed = api_.Remove(ContainerName(id));
    if (removed) break;
    // 409: somebody else is removing it.
    if (removed.error().code != ErrorCode::kAlreadyExists || tries == kRemovalTries) {
      return removed.error();
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  Died(id);
  FaultPoint("docker.container_removed");
  return workspaces_.Remove(id);
}

Result<Ending> DockerDriver::Autopsy(const SandboxId& id) {
  TRY_ASSIGN(const json::object inspected, api_.Inspect(ContainerName(id)));
  const json::object& state = ObjectAt(inspected, "State");
  Ending ending;
  if (LivenessOf(TextAt(state, "Status")) == Liveness::kDead) {
    ending.exit_status = static_cast<int>(NumberAt(state, "ExitCode"));
  }
  ending.memory = IsTrueAt(state, "OOMKilled") ? Ending::Memory::kRanOut : Ending::Memory::kEnough;
  ending.last_lines = workspaces_.LastWords(id, kLastBytes);
  return ending;
}

Status DockerDriver::Pause(const SandboxId& id) {
  Status done = api_.Pause(ContainerName(id));
  // 409: it is paused already, or does not run.
  if (!done && done.error().code == ErrorCode::kAlreadyExists) return ExpectRunning(id);
  return done;
}

Status DockerDriver::Resume(const SandboxId& id) {
  Status done = api_.Unpause(ContainerName(id));
  disks_->Touch(id);
  if (done) return done;
  TRY_ASSIGN(const json::object inspected, api_.Inspect(ContainerName(id)));
  if (TextAt(ObjectAt(inspected, "State"), "Status") == "running") return {};
  return done;
}

Status DockerDriver::ExpectRunning(const SandboxId& id) {
  TRY_ASSIGN(const json::object inspected, api_.Inspect(ContainerName(id)));
  if (LivenessOf(TextAt(ObjectAt(inspected, "State"), "Status")) != Liveness::kDead) return {};
  return Refusal(ErrorCode::kNotFound, "The sandbox has ended.");
}

Result<FileAccess> DockerDriver::Files(const SandboxId& id) {
  TRY(api_.Inspect(ContainerName(id)));
  // gVisor tells programs inside nothing of what is written from outside, and what root writes
  // there under another runtime is not theirs.
  return FileAccess{FileAccess::Way::kInside, ""};
}

void DockerDriver::Watch(OnDeath died) {
  {
    const std::lock_guard lock(mutex_);
    died_ = std::move(died);
  }
  Watcher();
}

DockerWatch& DockerDriver::Watcher() {
  const std::lock_guard lock(mutex_);
  if (!watch_) {
    watch_ = std::make_unique<DockerWatch>(api_, label_, [this](const SandboxId& id) {
      Died(id);
      OnDeath told;
      {
        const std::lock_guard copying(mutex_);
        told = died_;
      }
      if (told) told(id);
    });
  }
  return *watch_;
}

void DockerDriver::Died(const SandboxId& id) {
  std::vector<std::shared_ptr<DockerExec>> ended;
  {
    const std::lock_guard lock(mutex_);
    ++deaths_;
    const auto [begin, end] = running_.equal_range(id);
    for (auto at = begin; at != end; ++at) {
      if (auto exec = at->second.lock()) ended.push_back(std::move(exec));
    }
    running_.erase(begin, end);
    const auto [first, last] = tools_.equal_range(id);
    for (auto at = first; at != last; ++at) {
      if (const auto stream = at->second.lock()) stream->HangUp();
    }
    tools_.erase(first, last);
  }
  for (const auto& exec : ended) exec->SandboxGone();
}

void DockerDriver::HangUpTools() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, held] : tools_) {
    if (const auto stream = held.lock()) stream->HangUp();
  }
}

}  // namespace cordon::provision
