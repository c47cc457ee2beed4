// A system Cordon does not know yet: no command is started there.
#include <cstdlib>

#include "platform/broken_pipe.h"
#include "platform/capabilities.h"
#include "platform/child_process.h"
#include "platform/control_group.h"
#include "platform/inherited.h"
#include "platform/landlock.h"
#include "platform/loopback.h"
#include "platform/mount.h"
#include "platform/namespaces.h"
#include "platform/packet_socket.h"
#include "platform/passed_descriptors.h"
#include "platform/process_list.h"
#include "platform/process_table.h"
#include "platform/pseudo_terminal.h"
#include "platform/reference_mode.h"
#include "platform/resource_limits.h"
#include "platform/start_program.h"
#include "platform/wait_events.h"

namespace cordon::platform {
namespace {

Error Unsupported() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "platform";
  error.detail = "this operating system is not supported";
  return error;
}

}  // namespace

Status ForbidNewPrivileges() { return Unsupported(); }
Status DropCapabilities() { return Unsupported(); }

Result<Child> RunInCopy(const NamespaceSet& /*fresh*/, const std::function<int()>& /*work*/) {
  return Unsupported();
}
Result<Exit> WaitFor(ProcessId /*process*/) { return Unsupported(); }
Result<std::optional<Exit>> ReapNext() { return Unsupported(); }
void SignalProcess(ProcessId /*process*/, EndSignal /*signal*/) {}  // none was ever started
void SignalNamespace(EndSignal /*signal*/) {}
std::size_t SignalDescendants(EndSignal /*signal*/) { return 0; }
void EndDescendants() {}
Status AdoptOrphans() { return Unsupported(); }
Status DieWithParent(EndSignal /*signal*/) { return Unsupported(); }
Status SetTraceable(Traceable /*traceable*/) { return Unsupported(); }
void HoldNamespace(HoldSignal /*signal*/) {}
std::optional<ProcessId> NextStopped() { return std::nullopt; }
Status SignalByNumber(ProcessId /*process*/, int /*number*/) { return Unsupported(); }
Status BeginSession() { return Unsupported(); }
void GiveBackMemory() {}
void ExitAtOnce(int status) { std::_Exit(status); }
ChildUsage UsageOfEnded() { return {}; }
Result<StartedProgram> StartProgram(const ProgramTerms& /*terms*/, NotStarted& /*why*/) {
  return Unsupported();
}

Result<ControlGroup> ControlGroup::Make(const GroupLimits& /*limits*/) { return Unsupported(); }
Status ControlGroup::Add(ProcessId /*process*/) const { return Unsupported(); }
GroupEvents ControlGroup::Events() const { return {}; }
void ControlGroup::Remove() { folders_.clear(); }
void ControlGroup::RemoveAbandoned(LastProcess /*last*/) {}

Result<std::string> ReadWhole(int /*fd*/, std::size_t /*most*/) { return Unsupported(); }
void CloseFrom(int /*first*/) {}
Status FillStandardStreams() { return Unsupported(); }
Status SetStandardStreams(int /*in*/, int /*out*/, int /*err*/) { return Unsupported(); }
void EmptyStandardStreams() {}
void IgnoreTerminalSignals() {}
void HoldBackSignals() {}
void ResetSignals() {}

Result<int> LandlockVersion() { return Unsupported(); }
Result<LandlockRules> LandlockRules::Make(TcpRule /*tcp*/) { return Unsupported(); }
Status LandlockRules::Grant(const std::string& /*path*/, PathGrant /*grant*/) {
  version_ = 0;
  return Unsupported();
}
Status LandlockRules::Enforce() const { return Unsupported(); }
Result<UniqueFd> MakeInnerLine(InnerReach /*reach*/) { return Unsupported(); }
Status EnterInnerLine(int /*line*/) { return Unsupported(); }

Result<LoopbackListener> ListenOnLoopback() { return Unsupported(); }
Result<UniqueFd> DialLoopback(std::uint16_t /*port*/, std::chrono::milliseconds /*wait*/) {
  return Unsupported();
}

Status MakeMountsPrivate() { return Unsupported(); }
Result<UniqueFd> CopyOfTree(const std::string& /*path*/, MountAttributes /*attributes*/) {
  return Unsupported();
}
Result<UniqueFd> CopyOfTreeAt(int /*reference*/, MountAttributes /*attributes*/) {
  return Unsupported();
}
Result<UniqueFd> MountPlace(int /*directory*/, const std::string& /*path*/) {
  return Unsupported();
}
Result<UniqueFd> NewMemoryFiles(std::uint64_t /*bytes*/, MountAttributes /*attributes*/) {
  return Unsupported();
}
Result<UniqueFd> NewProcessFiles() { return Unsupported(); }
Result<UniqueFd> NewTerminalFiles() { return Unsupported(); }
Status Attach(int /*tree*/, int /*directory*/, const std::string& /*path*/) {
  return Unsupported();
}
Status ChangeAttributes(int /*mount*/, MountAttributes /*attributes*/) { return Unsupported(); }
Status CoverRoot(int /*mount*/) { return Unsupported(); }
Status EnterRoot(int /*mount*/) { return Unsupported(); }
Status MakeMountDirectory(int /*root*/, const std::string& /*path*/, std::uint32_t /*mode*/) {
  return Unsupported();
}
Status MakeMountFile(int /*root*/, const std::string& /*path*/) { return Unsupported(); }
Status MakeMountLink(int /*root*/, const std::string& /*path*/, const std::string& /*text*/) {
  return Unsupported();
}
Standing StandingAt(const std::string& /*path*/) { return Standing::kNothing; }
std::optional<std::string> LinkTextAt(const std::string& /*path*/) { return std::nullopt; }
std::optional<std::uint64_t> FreeSpaceAt(const std::string& /*path*/) { return std::nullopt; }

Status MapUsers(std::int64_t /*process*/) { return Unsupported(); }
bool NamespacesBoundProcesses() { return false; }
Status BoundProcesses(int /*process_files*/, std::uint64_t /*most*/) { return Unsupported(); }
Status SetHostName(const std::string& /*name*/) { return Unsupported(); }
Status RaiseLoopback() { return Unsupported(); }

Result<MessagePair> MakeMessagePair() { return Unsupported(); }
Status SendMessage(int /*socket*/, std::string_view /*bytes*/,
                   std::span<const int> /*descriptors*/) {
  return Unsupported();
}
Result<Received> ReceiveMessage(int /*socket*/, std::size_t /*most*/) { return Unsupported(); }

std::vector<std::int64_t> Descendants() { return {}; }
Result<ProcessWatch> ProcessWatch::Open() { return Unsupported(); }
Usage ProcessWatch::Sample() const { return {}; }
std::optional<std::uint64_t> ProcessWatch::NewestNumber() const { return std::nullopt; }
std::uint64_t ProcessWatch::WrittenByEnded() const { return 0; }

Result<PseudoTerminal> OpenPseudoTerminal() { return Unsupported(); }
Status SetTerminalSize(int /*terminal*/, std::uint16_t /*rows*/, std::uint16_t /*columns*/) {
  return Unsupported();
}

Result<UniqueFd> ListenForPackets(int /*directory*/, const char* /*name*/) { return Unsupported(); }
Result<UniqueFd> ConnectForPackets(int /*directory*/, const char* /*name*/) {
  return Unsupported();
}
Status TakeOverListener(int /*listener*/) { return Unsupported(); }
Result<UniqueFd> AcceptPackets(int /*listener*/) { return Unsupported(); }
Result<int> PeerProcess(int /*socket*/) { return Unsupported(); }

std::vector<ProcessRow> ProcessTable(std::size_t /*most*/) { return {}; }
std::vector<ProcessId> Children() { return {}; }
std::vector<std::uint16_t> ListeningPorts() { return {}; }

Status SetResourceLimits(const ResourceLimits& /*limits*/) { return Unsupported(); }
Status RaiseOpenFiles() { return Unsupported(); }
bool IsCpuLimitSignal(int /*signal*/) { return false; }
bool IsFileSizeLimitSignal(int /*signal*/) { return false; }

void AwaitAny(std::span<Awaited> awaited, std::optional<std::chrono::milliseconds> /*time*/) {
  for (Awaited& one : awaited) one.happened = one.gone = true;
}
Result<SignalSource> SignalSource::Open(Of /*of*/) { return Unsupported(); }
SignalSource::Came SignalSource::Take() const { return {}; }

void IgnoreInterrupts() {}

Status WriteWithoutSignal(int /*fd*/, std::string_view /*bytes*/) { return Unsupported(); }
void HoldBackPipeSignals() {}
void ShutDownSocket(int /*socket*/) {}
Status SetModeOf(int /*reference*/, std::uint32_t /*mode*/) { return Unsupported(); }

}  // namespace cordon::platform
