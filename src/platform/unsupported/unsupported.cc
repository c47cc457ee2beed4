// A system Cordon does not know yet: everything is refused, nothing is weaker.
#include <cerrno>
#include <cstdlib>

#include "platform/act_for_process.h"
#include "platform/attributes.h"
#include "platform/become.h"
#include "platform/boot_id.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_lock.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/link.h"
#include "platform/local_socket.h"
#include "platform/machine_memory.h"
#include "platform/name_rules.h"
#include "platform/name_services.h"
#include "platform/open.h"
#include "platform/other_process.h"
#include "platform/own_addresses.h"
#include "platform/own_terminal.h"
#include "platform/pipe.h"
#include "platform/private_file.h"
#include "platform/shared_region.h"
#include "platform/spawn.h"
#include "platform/standard_output.h"
#include "platform/standard_streams.h"
#include "platform/supervised_call.h"
#include "platform/syscall_filter.h"
#include "platform/syscall_listener.h"
#include "platform/terminal.h"
#include "platform/terminal_relay.h"
#include "platform/unique_fd.h"
#include "platform/users.h"
#include "platform/wake_up.h"
#include "platform/watcher.h"

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

void UniqueFd::reset(int fd) { fd_ = fd; }  // no descriptor was ever opened

Result<std::uint64_t> AvailableMemory() { return Unsupported(); }

Result<FileStat> StatDescriptor(int /*fd*/) { return Unsupported(); }
Result<FileStat> StatEntry(int /*directory*/, const char* /*name*/) { return Unsupported(); }
std::optional<std::int64_t> BirthTimeOf(int /*fd*/) { return std::nullopt; }
Result<FileExtent> ExtentOf(int /*fd*/) { return Unsupported(); }
Result<std::uint64_t> MountIdOf(int /*fd*/) { return Unsupported(); }

Result<UniqueFd> OpenLinkFree(int /*root*/, const char* /*path*/, OpenIntent /*intent*/,
                              MustBe /*must_be*/, MountCrossing /*mounts*/) {
  return Unsupported();
}
Result<UniqueFd> OpenReferenceNoLink(int /*root*/, const char* /*path*/, MustBe /*must_be*/,
                                     MountCrossing /*mounts*/) {
  return Unsupported();
}
Status CheckOpenLinkFree(int /*root*/) { return Unsupported(); }
Result<UniqueFd> OpenEntry(int /*directory*/, const char* /*name*/, OpenIntent /*intent*/) {
  return Unsupported();
}
Result<UniqueFd> ReopenDirectory(int /*directory*/) { return Unsupported(); }
Status CheckAccess(int /*fd*/, AccessKind /*kind*/) { return Unsupported(); }

Result<std::string> ReadLinkText(int /*link*/) { return Unsupported(); }
bool IsMagicLink(int /*link*/) { return true; }
Status MakeLink(const char* /*text*/, int /*directory*/, const char* /*name*/) {
  return Unsupported();
}

Status MakeDirectory(int /*directory*/, const char* /*name*/, std::uint32_t /*mode*/) {
  return Unsupported();
}
Status RemoveFile(int /*directory*/, const char* /*name*/) { return Unsupported(); }
Status RemoveDirectory(int /*directory*/, const char* /*name*/) { return Unsupported(); }
Status RenameEntry(int /*from*/, const char* /*name*/, int /*to*/, const char* /*new_name*/) {
  return Unsupported();
}
Status RenameNoReplace(int /*from*/, const char* /*name*/, int /*to*/, const char* /*new_name*/) {
  return Unsupported();
}
Status ExchangeEntries(int /*first*/, const char* /*first_name*/, int /*second*/,
                       const char* /*second_name*/) {
  return Unsupported();
}
Status LinkEntry(int /*from*/, const char* /*name*/, int /*to*/, const char* /*new_name*/) {
  return Unsupported();
}
Status ReadEntries(int /*directory*/,
                   const std::function<ReadMore(std::string_view, FileType)>& /*entry*/) {
  return Unsupported();
}

Status ReadEntriesInto(int /*directory*/, std::span<char> /*buffer*/,
                       const std::function<ReadMore(std::string_view, FileType)>& /*entry*/) {
  return Unsupported();
}

Status CopyUserAttributes(int /*from*/, int /*to*/) { return Unsupported(); }
Status CopyAccessList(int /*from*/, int /*to*/) { return Unsupported(); }
Result<std::vector<Attribute>> ReadAttributes(int /*fd*/) { return Unsupported(); }
Status WriteAttributes(int /*fd*/, const std::vector<Attribute>& /*attributes*/) {
  return Unsupported();
}
Status RemoveAccessList(int /*fd*/) { return Unsupported(); }

Result<std::size_t> Read(int /*fd*/, std::span<char> /*buffer*/) { return Unsupported(); }
Result<std::size_t> ReadAt(int /*fd*/, std::uint64_t /*offset*/, std::span<char> /*buffer*/) {
  return Unsupported();
}
Status WriteAll(int /*fd*/, std::string_view /*bytes*/) { return Unsupported(); }
Status WriteAllAt(int /*fd*/, std::uint64_t /*offset*/, std::string_view /*bytes*/) {
  return Unsupported();
}
Status Truncate(int /*fd*/, std::uint64_t /*size*/) { return Unsupported(); }
Result<std::uint64_t> Seek(int /*fd*/, std::uint64_t /*offset*/) { return Unsupported(); }
Status SyncFile(int /*fd*/) { return Unsupported(); }
Status SyncData(int /*fd*/) { return Unsupported(); }
Status SetMode(int /*fd*/, std::uint32_t /*mode*/) { return Unsupported(); }
Status SetModified(int /*fd*/, std::int64_t /*modified_ns*/) { return Unsupported(); }
Status SetOwner(int /*fd*/, std::uint32_t /*owner*/, std::uint32_t /*group*/) {
  return Unsupported();
}

Result<HostDirectory> OpenHostDirectory(std::string_view /*path*/) { return Unsupported(); }
Result<UniqueFd> OpenHostFile(std::string_view /*path*/) { return Unsupported(); }
Result<std::string> OwnProgram() { return Unsupported(); }
bool HasNameServices() { return false; }
Error Become(const std::string& /*program*/, char* const* /*arguments*/) { return Unsupported(); }
std::uint64_t RandomNumber() { std::abort(); }  // nothing could have been opened before

Result<UniqueFd> OpenStateDirectory(std::string_view /*path*/, MissingDirectory /*missing*/) {
  return Unsupported();
}
Result<UniqueFd> OpenPrivateFile(int /*directory*/, const char* /*name*/,
                                 PrivateAccess /*access*/) {
  return Unsupported();
}
Status RenameNoReplace(int /*directory*/, const char* /*name*/, const char* /*new_name*/) {
  return Unsupported();
}

Result<FileLock> FileLock::Take(int /*fd*/, Kind /*kind*/) { return Unsupported(); }
Result<FileLock> FileLock::TryTake(int /*fd*/, Kind /*kind*/) { return Unsupported(); }
FileLock::FileLock(FileLock&& other) noexcept : fd_(other.fd_) {}
FileLock::~FileLock() = default;  // none was ever taken

SharedRegion::Access SharedRegion::BestAccess(int /*fd*/) { return Access::kByCalls; }
Result<SharedRegion> SharedRegion::Open(int /*fd*/, std::size_t /*size*/, Access /*access*/) {
  return Unsupported();
}
SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : fd_(other.fd_), size_(other.size_), mapped_(other.mapped_) {}
SharedRegion::~SharedRegion() = default;
Status SharedRegion::Load(std::size_t /*offset*/, std::size_t /*size*/) { return Unsupported(); }
std::span<const char> SharedRegion::bytes() const { return {mapped_, 0}; }
Status SharedRegion::Store(std::size_t /*offset*/, std::span<const char> /*bytes*/) {
  return Unsupported();
}
Status SharedRegion::StoreWord(std::size_t offset, std::uint32_t /*word*/) {
  return Store(offset, {mapped_, 0});
}

Result<BootId> CurrentBootId() { return Unsupported(); }

StandardOutput DescribeStandardOutput() { return {}; }
bool StandardErrorIsTerminal() { return false; }
struct OwnTerminal::Held {};
OwnTerminal::OwnTerminal(std::unique_ptr<Held> held) : held_(std::move(held)) {}
OwnTerminal::OwnTerminal(OwnTerminal&&) noexcept = default;
OwnTerminal::~OwnTerminal() = default;
Result<OwnTerminal> OwnTerminal::Take() { return Unsupported(); }
OwnTerminal::Event OwnTerminal::Wait() const { return {}; }
void OwnTerminal::Wake() const {}
WindowSize OwnTerminal::size() const { return {}; }
Status OwnTerminal::Show(std::string_view /*bytes*/) const { return Unsupported(); }
struct OutputWatch::Before {};
Result<OutputWatch> OutputWatch::Begin() { return Unsupported(); }
OutputWatch::OutputWatch(OutputWatch&& /*other*/) noexcept : before_(nullptr) {}
OutputWatch::~OutputWatch() = default;
OutputWatch::Outcome OutputWatch::Wait(std::chrono::milliseconds /*time*/) const {
  return Outcome::kAskedToEnd;
}
OutputWatch::Outcome OutputWatch::WaitForRoom() const { return Outcome::kAskedToEnd; }

struct StandardStreams::Held {};
Result<StandardStreams> StandardStreams::Take() { return Unsupported(); }
StandardStreams::StandardStreams(std::unique_ptr<Held> held) : held_(std::move(held)) {}
StandardStreams::StandardStreams(StandardStreams&&) noexcept = default;
StandardStreams::~StandardStreams() = default;
Result<std::size_t> StandardStreams::Read(std::span<char> /*buffer*/) const {
  return Unsupported();
}
bool StandardStreams::HasInput() const { return false; }
Status StandardStreams::Write(std::string_view /*bytes*/) const { return Unsupported(); }

struct Watcher::State {};
Result<std::shared_ptr<Watcher>> Watcher::Start(std::size_t /*most*/) { return Unsupported(); }
Watcher::Watcher(std::shared_ptr<State> state) : state_(std::move(state)) {}
Watcher::~Watcher() = default;
Result<Watcher::Handle> Watcher::Watch(int /*directory*/, std::string /*name*/,
                                       std::function<void()> /*changed*/) {
  return Unsupported();
}

path::NameRules NameRulesOf(int /*directory*/) { return path::NameRules::kAll; }

Result<std::vector<std::string>> HomeDirectories() { return Unsupported(); }
Result<UniqueFd> OpenControllingTerminal() { return Unsupported(); }
bool IsForeground(int /*terminal*/) { return false; }
WindowSize WindowSizeOf(int /*terminal*/) { return {}; }
struct RawMode::Saved {};
RawMode::RawMode(Saved* saved) : saved_(saved) {}
RawMode::RawMode(RawMode&& other) noexcept : saved_(other.saved_) {}
RawMode::~RawMode() = default;  // nothing was ever saved
Result<RawMode> RawMode::Enter(int /*terminal*/) { return Unsupported(); }
Status DiscardTyped(int /*terminal*/) { return Unsupported(); }
Status WriteTerminal(int /*terminal*/, std::string_view /*bytes*/,
                     std::chrono::milliseconds /*wait*/) {
  return Unsupported();
}
Key ReadKey(int /*terminal*/, std::chrono::milliseconds /*wait*/) { return {KeyState::kClosed, 0}; }

Result<UniqueFd> OpenLocalSocket() { return Unsupported(); }
Result<UniqueFd> OpenTcpSocket(IpVersion /*version*/) { return Unsupported(); }
Result<UniqueFd> AcceptConnection(int /*listener*/) { return Unsupported(); }
Result<std::uint32_t> PeerUser(int /*socket*/) { return Unsupported(); }
Result<std::uint32_t> OwnUser() { return Unsupported(); }
Result<std::uint32_t> OwnProcess() { return Unsupported(); }
Result<std::vector<OwnAddress>> OwnAddresses() { return Unsupported(); }

SpawnedProcess::SpawnedProcess(SpawnedProcess&& /*other*/) noexcept {}
SpawnedProcess& SpawnedProcess::operator=(SpawnedProcess&& /*other*/) noexcept { return *this; }
SpawnedProcess::~SpawnedProcess() = default;
Result<SpawnedProcess> SpawnedProcess::Start(const SpawnPlan& /*plan*/) { return Unsupported(); }
void SpawnedProcess::Wait() {}
void SpawnedProcess::Kill() {}
Result<UniqueFd> MakeUnnamedFile() { return Unsupported(); }
Status FillAndSeal(int /*unnamed_file*/, std::string_view /*bytes*/) { return Unsupported(); }

std::vector<std::string> OwnEnvironment() { return {}; }

Result<Pipe> MakePipe() { return Unsupported(); }
Result<UniqueFd> OpenNullDevice() { return Unsupported(); }
Result<UniqueFd> Duplicate(int /*fd*/) { return Unsupported(); }

bool StandardStreamsAreTerminals() { return false; }
struct TerminalRelay::State {};
TerminalRelay::TerminalRelay(std::unique_ptr<State> state) : state_(std::move(state)) {}
Result<std::unique_ptr<TerminalRelay>> TerminalRelay::Start(UniqueFd /*other_end*/) {
  return Unsupported();
}
TerminalRelay::~TerminalRelay() = default;
void TerminalRelay::Pause() {}
void TerminalRelay::Resume() {}

Result<std::vector<FilterInstruction>> CompileFilter(const FilterTerms& /*terms*/) {
  return Unsupported();
}
int InstallFilter(std::span<const FilterInstruction> /*filter*/, Listener /*listener*/) {
  return -ENOSYS;
}

Result<SyscallListener> SyscallListener::Adopt(UniqueFd /*listener*/) { return Unsupported(); }
std::optional<Notification> SyscallListener::Receive() const { return std::nullopt; }
bool SyscallListener::Waits(std::uint64_t /*id*/) const { return false; }
void SyscallListener::Fail(std::uint64_t /*id*/, int /*os_errno*/) const {}
void SyscallListener::Succeed(std::uint64_t /*id*/, std::int64_t /*value*/) const {}
void SyscallListener::Give(std::uint64_t /*id*/, int /*fd*/, OnExec /*on_exec*/) const {}

int Decode(const Notification& /*notification*/, SupervisedCall& /*call*/) { return -ENOSYS; }

int ReadMemory(int /*thread*/, std::uint64_t /*address*/, std::span<char> /*into*/) {
  return -ENOSYS;
}
int ReadText(int /*thread*/, std::uint64_t /*address*/, std::string& /*text*/) { return -ENOSYS; }
Result<OtherProcesses> OtherProcesses::Open() { return Unsupported(); }
UniqueFd OtherProcesses::WorkingDirectory(int /*thread*/) const { return {}; }
UniqueFd OtherProcesses::Descriptor(int /*thread*/, int /*number*/) const { return {}; }
UniqueFd OtherProcesses::Duplicate(int /*thread*/, int /*number*/) const { return {}; }
std::optional<ProcessFacts> OtherProcesses::Facts(int /*thread*/) const { return std::nullopt; }
OtherProcesses::Terminal OtherProcesses::ControllingTerminal(int /*thread*/) const { return {}; }

Result<WakeUp> WakeUp::Make() { return Unsupported(); }
void WakeUp::SetClock(std::chrono::milliseconds /*interval*/) {}
bool WakeUp::Struck() { return false; }

Result<ActForProcess> ActForProcess::Open() { return Unsupported(); }
std::string ActForProcess::RealPath(int /*fd*/) const { return {}; }
Looked ActForProcess::LookUp(int /*base*/, const char* /*path*/, NamedPath::FinalLink /*link*/,
                             std::uint64_t /*resolve*/) const {
  return {UniqueFd(), ENOSYS};
}
std::uint64_t ActForProcess::NoLinks() { return 0; }
std::uint64_t ActForProcess::NoMagicLinks() { return 0; }
std::uint64_t ActForProcess::InRoot() { return 0; }
Looked ActForProcess::Entry(int /*directory*/, const char* /*name*/) {
  return {UniqueFd(), ENOSYS};
}
UniqueFd ActForProcess::Scratch() { return {}; }
UniqueFd ActForProcess::Same(int /*fd*/) { return {}; }
Looked ActForProcess::Follow(int /*directory*/, const char* /*name*/) {
  return {UniqueFd(), ENOSYS};
}
Looked ActForProcess::Reopen(int /*object*/, const OpenWish& /*wish*/, Wait /*wait*/) const {
  return {UniqueFd(), ENOSYS};
}
int ActForProcess::ClearNonBlocking(int /*fd*/) { return -ENOSYS; }
Looked ActForProcess::OpenToRead(int /*base*/, const char* /*path*/, const OpenWish& /*wish*/,
                                 std::uint64_t /*resolve*/) {
  return {UniqueFd(), ENOSYS};
}
int ActForProcess::SetFlags(int /*fd*/, const OpenWish& /*wish*/) { return -ENOSYS; }
Looked ActForProcess::Create(int /*directory*/, const char* /*name*/, const OpenWish& /*wish*/,
                             std::uint32_t /*umask*/) {
  return {UniqueFd(), ENOSYS};
}
Looked ActForProcess::CreateTemporary(int /*directory*/, const OpenWish& /*wish*/,
                                      std::uint32_t /*umask*/) {
  return {UniqueFd(), ENOSYS};
}
int ActForProcess::MakeDirectory(int /*directory*/, const char* /*name*/, std::uint32_t /*mode*/,
                                 std::uint32_t /*umask*/) {
  return -ENOSYS;
}
int ActForProcess::MakeNode(int /*directory*/, const char* /*name*/, const MakeNodeWish& /*wish*/,
                            std::uint32_t /*umask*/) {
  return -ENOSYS;
}
int ActForProcess::Remove(int /*directory*/, const char* /*name*/, RemoveWish::What /*what*/) {
  return -ENOSYS;
}
int ActForProcess::Rename(int /*from*/, const char* /*name*/, int /*to*/, const char* /*new_name*/,
                          std::uint32_t /*flags*/) {
  return -ENOSYS;
}
int ActForProcess::Link(int /*object*/, int /*to*/, const char* /*name*/) const { return -ENOSYS; }
int ActForProcess::Symlink(const char* /*text*/, int /*directory*/, const char* /*name*/) {
  return -ENOSYS;
}
int ActForProcess::Change(int /*object*/, const ChangeWish& /*wish*/) const { return -ENOSYS; }
int ActForProcess::BindAt(int /*socket*/, int /*directory*/, const std::string& /*name*/,
                          std::uint32_t /*umask*/) {
  return -ENOSYS;
}
int ActForProcess::Bind(int /*socket*/, const std::string& /*address*/) { return -ENOSYS; }
int ActForProcess::ConnectTo(int /*socket*/, int /*object*/) const { return -ENOSYS; }
int ActForProcess::Connect(int /*socket*/, const std::string& /*address*/) { return -ENOSYS; }
int ActForProcess::ConnectResult(int /*socket*/) { return -ENOSYS; }
bool ActForProcess::IsNonBlocking(int /*fd*/) { return false; }
bool ActForProcess::HasOrHadWriter(int /*reader*/) { return false; }
bool ActForProcess::Serves(int /*fd*/, const OpenWish& /*wish*/) { return false; }
bool ActForProcess::IsTerminalOfProcess(int /*object*/) { return false; }
Status HideOwnMemory() { return Unsupported(); }

}  // namespace cordon::platform
