#include "provision/docker_isolation.h"

#include <algorithm>
#include <string>

#include "base/try.h"
#include "provision/docker_api.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

// One sentence that grows with what is found.
class Complaints {
 public:
  void Unless(bool holds, std::string_view what) {
    if (holds) return;
    if (!text_.empty()) text_ += "; ";
    text_ += what;
  }
  Status Result() const {
    if (text_.empty()) return {};
    Error error;
    error.code = ErrorCode::kSandboxRequired;
    error.op = "isolation";
    error.detail = "The engine made a weaker sandbox than it was asked for: " + text_ + ".";
    return error;
  }

 private:
  std::string text_;
};

bool Has(const json::array& array, std::string_view text) {
  return std::any_of(array.begin(), array.end(), [&](const json::value& one) {
    return one.is_string() && one.get_string() == text;
  });
}

bool IsEmptyAt(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  if (found == nullptr || found->is_null()) return true;
  return (found->is_array() && found->get_array().empty()) ||
         (found->is_object() && found->get_object().empty());
}

// Podman tells it outside of what was asked for, and there truly.
std::string RuntimeOf(const json::object& inspected) {
  const std::string podman = TextAt(inspected, "OCIRuntime");
  return podman.empty() ? TextAt(ObjectAt(inspected, "HostConfig"), "Runtime") : podman;
}

void CheckSecurity(const json::object& host, Complaints& complaints) {
  bool no_new = false, filtered = true;
  for (const json::value& one : ArrayAt(host, "SecurityOpt")) {
    const std::string text(one.is_string() ? one.get_string() : "");
    no_new |= text == "no-new-privileges" || text == "no-new-privileges=true" ||
              text == "no-new-privileges:true";
    filtered &= text.find("unconfined") == std::string::npos;
  }
  complaints.Unless(no_new, "programs can gain privileges");
  complaints.Unless(filtered, "a filter is off");
  complaints.Unless(Has(ArrayAt(host, "CapDrop"), "ALL") || Has(ArrayAt(host, "CapDrop"), "all"),
                    "capabilities are kept");
  complaints.Unless(IsEmptyAt(host, "CapAdd"), "capabilities are added");
  complaints.Unless(!IsTrueAt(host, "Privileged"), "it is privileged");
  complaints.Unless(IsTrueAt(host, "ReadonlyRootfs"), "its root can be written");
  complaints.Unless(IsEmptyAt(host, "Devices"), "it has devices");
  const json::value* const masked = host.if_contains("MaskedPaths");
  complaints.Unless(masked == nullptr || !masked->is_array() || !masked->get_array().empty(),
                    "nothing of /proc is masked");
}

void CheckNamespaces(const json::object& host, Complaints& complaints) {
  complaints.Unless(TextAt(host, "NetworkMode") == "none", "it has a network");
  complaints.Unless(IsEmptyAt(host, "PortBindings") && !IsTrueAt(host, "PublishAllPorts"),
                    "it publishes ports");
  for (const std::string_view mode :
       {"PidMode", "IpcMode", "UTSMode", "UsernsMode", "CgroupnsMode"}) {
    const std::string value = TextAt(host, mode);
    complaints.Unless(value != "host" && !value.starts_with("container:"),
                      "it shares a namespace with others");
  }
}

void CheckLimits(const json::object& host, const ContainerPlan& plan, Complaints& complaints) {
  const Resources& asked = plan.terms.resources;
  const auto is = [&](std::string_view key, std::uint64_t most) {
    const std::int64_t value = NumberAt(host, key);
    return value > 0 && static_cast<std::uint64_t>(value) <= most;
  };
  complaints.Unless(is("Memory", HostMemory(plan)), "its memory is not limited");
  complaints.Unless(is("MemorySwap", HostMemory(plan)), "its swap is not limited");
  complaints.Unless(is("PidsLimit", HostProcesses(plan)), "its processes are not limited");
  const bool cpus =
      is("NanoCpus", static_cast<std::uint64_t>(asked.cpus * 1e9)) ||
      (is("CpuQuota", static_cast<std::uint64_t>(asked.cpus *
                                                 static_cast<double>(NumberAt(host, "CpuPeriod"))) +
                          1) &&
       NumberAt(host, "CpuPeriod") > 0);
  complaints.Unless(cpus, "its CPU time is not limited");
}

void CheckMounts(const json::object& inspected, const ContainerPlan& plan, Complaints& complaints) {
  for (const json::value& one : ArrayAt(inspected, "Mounts")) {
    if (!one.is_object()) continue;
    const json::object& mount = one.get_object();
    if (TextAt(mount, "Type") == "volume") {
      // On the host's disk, where nothing limits it.
      complaints.Unless(!IsTrueAt(mount, "RW"), "the image has a volume of its own");
      continue;
    }
    if (TextAt(mount, "Type") != "bind") continue;
    const std::string source = TextAt(mount, "Source"), target = TextAt(mount, "Destination");
    const bool workspace = source == plan.places.workspace && target == "/workspace";
    const bool tools =
        source == plan.places.tools && target == kToolsInside && !IsTrueAt(mount, "RW");
    const bool log = source == plan.places.log && target == kLogFolderInside;
    complaints.Unless(workspace || tools || log, "something of the host is mounted in it");
  }
}

}  // namespace

Result<ContainerPlan> PlanOfLabel(const json::object& inspected, const SandboxId& id) {
  const json::object& labels = ObjectAt(ObjectAt(inspected, "Config"), "Labels");
  boost::system::error_code failed;
  const json::value parsed = json::parse(TextAt(labels, kAskedLabel), failed);
  if (failed || !parsed.is_object() || TextAt(labels, kIdLabel) != id.text()) {
    Error error;
    error.code = ErrorCode::kSandboxRequired;
    error.op = "isolation";
    error.detail = "The container does not tell what was asked for.";
    return error;
  }
  const json::object& asked = parsed.get_object();
  Terms terms{id, {}, {}, {}, "none", Isolation::kContainer};
  const json::value* const cpus = asked.if_contains("cpus");
  if (cpus != nullptr && cpus->is_number()) terms.resources.cpus = cpus->to_number<double>();
  terms.resources.memory = static_cast<std::uint64_t>(NumberAt(asked, "memory"));
  terms.resources.processes = static_cast<std::uint64_t>(NumberAt(asked, "processes"));
  terms.resources.disk = static_cast<std::uint64_t>(NumberAt(asked, "disk"));
  for (const Isolation one : {Isolation::kKernelLine, Isolation::kGvisor}) {
    if (TextAt(asked, "isolation") == IsolationName(one)) terms.isolation = one;
  }
  ContainerPlan plan{terms, TextAt(asked, "runtime"), TextAt(labels, kOwnerLabel), {}, 0};
  plan.user = static_cast<std::uint32_t>(NumberAt(asked, "user"));
  return plan;
}

Status CheckEngineWord(const json::object& inspected, const ContainerPlan& plan) {
  Complaints complaints;
  std::string runtime = "its runtime is \"";
  runtime.append(RuntimeOf(inspected)).append("\" and not \"").append(plan.runtime).append("\"");
  complaints.Unless(RuntimeOf(inspected) == plan.runtime, runtime);
  const std::string user = TextAt(ObjectAt(inspected, "Config"), "User");
  complaints.Unless(user == UserOfFirst(plan.user), "its user is another one");
  const json::object& host = ObjectAt(inspected, "HostConfig");
  CheckSecurity(host, complaints);
  CheckNamespaces(host, complaints);
  CheckLimits(host, plan, complaints);
  CheckMounts(inspected, plan, complaints);
  return complaints.Result();
}

Result<Facts> CheckInside(const json::object& inspected, const inside::View& view,
                          const ContainerPlan& plan) {
  // Its log is the one thing that no program inside can make up for the kernel.
  const bool gvisor = view.kernel_log.find("gVisor") != std::string::npos;
  Complaints complaints;
  complaints.Unless(gvisor || !IsGvisorRuntime(plan.runtime), "the kernel inside is not gVisor's");
  complaints.Unless(view.user == plan.user, "programs inside have another user");
  complaints.Unless(
      !view.capabilities.empty() && view.capabilities.find_first_not_of("0 ") == std::string::npos,
      "programs inside have capabilities");
  complaints.Unless(view.no_new_privileges, "programs inside can gain privileges");
  complaints.Unless(view.read_only_root, "the root can be written inside");
  // gVisor takes system calls itself, and the filter is around it, where nobody inside sees it.
  complaints.Unless(view.seccomp == "2" || gvisor, "no system call is filtered inside");
  complaints.Unless(std::all_of(view.interfaces.begin(), view.interfaces.end(),
                                [](const std::string& one) { return one == "lo"; }),
                    "there is a network inside");
  Facts facts;
  facts.isolation = gvisor ? Isolation::kGvisor : Isolation::kContainer;
  complaints.Unless(facts.isolation >= plan.terms.isolation, "its isolation is weaker");
  TRY(complaints.Result());
  facts.isolation_detail = RuntimeOf(inspected);
  facts.isolation_detail += gvisor ? ", gVisor's kernel, seen inside" : ", seccomp filter";
  facts.isolation_detail += ", no capabilities, no new privileges, read-only root, no network";
  facts.handle = TextAt(inspected, "Id");
  facts.resources = plan.terms.resources;
  facts.resources.disk = 0;  // not seen from there
  return facts;
}

}  // namespace cordon::provision
