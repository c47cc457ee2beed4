// The fallback for unknown systems is built and run on this one too, linked in
// place of the real platform, so that it cannot rot or fail open.
#include <gtest/gtest.h>

#include "platform/act_for_process.h"
#include "platform/attributes.h"
#include "platform/boot_id.h"
#include "platform/capabilities.h"
#include "platform/child_process.h"
#include "platform/control_group.h"
#include "platform/directory.h"
#include "platform/disk_space.h"
#include "platform/file_io.h"
#include "platform/file_lock.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/inherited.h"
#include "platform/landlock.h"
#include "platform/local_socket.h"
#include "platform/loopback.h"
#include "platform/mount.h"
#include "platform/name_rules.h"
#include "platform/namespaces.h"
#include "platform/open.h"
#include "platform/other_process.h"
#include "platform/own_addresses.h"
#include "platform/own_terminal.h"
#include "platform/packet_socket.h"
#include "platform/passed_descriptors.h"
#include "platform/private_file.h"
#include "platform/process_list.h"
#include "platform/process_table.h"
#include "platform/project_quota.h"
#include "platform/pseudo_terminal.h"
#include "platform/reference_mode.h"
#include "platform/resource_limits.h"
#include "platform/shared_region.h"
#include "platform/standard_output.h"
#include "platform/standard_streams.h"
#include "platform/start_program.h"
#include "platform/syscall_filter.h"
#include "platform/syscall_listener.h"
#include "platform/terminal.h"
#include "platform/users.h"
#include "platform/wait_events.h"
#include "platform/wake_up.h"
#include "platform/watcher.h"

namespace cordon::platform {
namespace {

TEST(UnsupportedPlatform, RefusesToDrawABoundary) {
  const auto opened = OpenHostDirectory("/");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, ClaimsNoLimitOnDisks) {
  EXPECT_EQ(CheckProjectQuota(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(RoomOfDisk(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(AllocationOf(0).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, HasNoResolver) {
  EXPECT_EQ(CheckOpenLinkFree(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OpenEntry(0, "x", OpenIntent::kRead).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, MovesNothing) {
  EXPECT_EQ(RenameNoReplace(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ExchangeEntries(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(LinkEntry(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, KeepsNoPrivateFiles) {
  EXPECT_EQ(OpenStateDirectory("/", MissingDirectory::kMake).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OpenPrivateFile(0, "x", PrivateAccess::kRead).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(RenameNoReplace(0, "x", "y").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(WriteAllAt(0, 0, "x").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ExtentOf(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(SyncData(0).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, SharesNothingAmongProcesses) {
  EXPECT_EQ(FileLock::Take(0, FileLock::Kind::kExclusive).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(SharedRegion::Open(0, 4096, SharedRegion::BestAccess(0)).error().code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(CurrentBootId().error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, CopiesNoAttributes) {
  EXPECT_EQ(CopyUserAttributes(0, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(CopyAccessList(0, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ReadAttributes(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(WriteAttributes(0, {}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(SetModified(0, 0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(RemoveAccessList(0).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, AssumesTheWorstOfNames) {
  EXPECT_EQ(NameRulesOf(0), path::NameRules::kAll);
}

TEST(UnsupportedPlatform, HasNobodyToAsk) {
  EXPECT_EQ(OpenControllingTerminal().error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(IsForeground(0));
  EXPECT_EQ(RawMode::Enter(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(DiscardTyped(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ReadKey(0, std::chrono::milliseconds(0)).state, KeyState::kClosed);
  EXPECT_EQ(WriteTerminal(0, "x", std::chrono::milliseconds(0)).error().code,
            ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, NeitherTakesStreamsNorWatches) {
  EXPECT_EQ(StandardStreams::Take().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(Watcher::Start(1).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, KnowsNoPeerAndNoUser) {
  EXPECT_FALSE(HomeDirectories());
  EXPECT_EQ(OpenLocalSocket().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OpenTcpSocket(IpVersion::k4).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(AcceptConnection(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(PeerUser(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OwnUser().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OwnProcess().error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, StartsNothing) {
  bool ran = false;
  const auto work = [&ran] {
    ran = true;
    return 0;
  };
  EXPECT_EQ(RunInCopy({}, work).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(ran);
  NotStarted why;
  EXPECT_EQ(StartProgram({}, why).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, HoldsNoCommand) {
  EXPECT_EQ(ForbidNewPrivileges().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(DropCapabilities().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(LandlockVersion().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(LandlockRules::Make(TcpRule::kRefused).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(MakeInnerLine(InnerReach::kTracingRefused).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(EnterInnerLine(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(CompileFilter({}).error().code, ErrorCode::kUnsupported);
  EXPECT_LT(InstallFilter({}, Listener::kNone), 0);
  EXPECT_EQ(SetResourceLimits({}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(RaiseOpenFiles().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ControlGroup::Make({}).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(MapUsers(0).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(NamespacesBoundProcesses());
  EXPECT_EQ(BoundProcesses(0, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(EnterRoot(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(MakeMessagePair().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OpenPseudoTerminal().error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, KeepsNoSandbox) {
  EXPECT_EQ(ListenForPackets(0, "x").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ConnectForPackets(0, "x").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(AcceptPackets(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(DialLoopback(1, std::chrono::milliseconds(1)).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(BeginSession().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(SignalByNumber(1, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(SetModeOf(0, 0700).error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(ProcessTable(10).empty());
  EXPECT_TRUE(ListeningPorts().empty());
}

TEST(UnsupportedPlatform, SupervisesNobody) {
  EXPECT_EQ(CompileFilter({}).error().code, ErrorCode::kUnsupported);
  EXPECT_LT(InstallFilter({}, Listener::kNone), 0);
  EXPECT_EQ(SyscallListener::Adopt(UniqueFd()).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OtherProcesses::Open().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ActForProcess::Open().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(HideOwnMemory().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(WakeUp::Make().error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, DoesNotWaitForSignals) {
  EXPECT_EQ(SignalSource::Open(SignalSource::Of::kChildren).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(DescribeStandardOutput().is_terminal);
  EXPECT_FALSE(StandardErrorIsTerminal());
  EXPECT_EQ(OwnTerminal::Take().error().code, ErrorCode::kUnsupported);
  const auto watch = OutputWatch::Begin();
  ASSERT_FALSE(watch.has_value());
  EXPECT_EQ(watch.error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, DoesNotSayThatNoAddressIsItsOwn) {
  EXPECT_EQ(OwnAddresses().error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace cordon::platform
