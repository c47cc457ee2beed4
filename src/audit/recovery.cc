#include "audit/recovery.h"

#include "audit/failure.h"
#include "audit/scan.h"
#include "base/try.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"

namespace cordon::audit {
namespace {

using platform::PrivateAccess;

// Over the files that were left already but that the head does not know of yet. Each
// was whole on the disk before it was left.
Status FollowLeftFiles(const LogFiles& files, HmacSha256& mac, HeadState& state) {
  while (true) {
    const std::string name = files.NameOf(state.generation);
    TRY_ASSIGN(const auto file, files.OpenIfThere(name));
    if (!file) return {};
    TRY_ASSIGN(const bool has_newest, files.Exists(files.name()));
    TRY_ASSIGN(const bool has_next, files.Exists(files.NameOf(state.generation + 1)));
    if (!has_newest && !has_next) return files.Rename(name, files.name());  // begun, not ended
    TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file->get()));
    if (stat.size < state.offset) return Damaged(name + " is shorter than it was");
    TRY_ASSIGN(const ChainEnd end, FollowChain(file->get(), stat.size, mac, state));
    if (end != ChainEnd::kEndOfFile) return Damaged(name + " does not end as it was left");
    ++state.generation;
    state.offset = 0;
  }
}

// Whether what stands behind the chain may be cut off: a kill leaves the beginning of
// one line; a loss of power whatever the disk held, but never a record of elsewhere.
bool MayCut(ChainEnd end, bool power_lost) {
  switch (end) {
    case ChainEnd::kEndOfFile:
    case ChainEnd::kUnfinished: return true;
    case ChainEnd::kNoRecord: return power_lost;
    case ChainEnd::kOther: return false;
  }
  return false;
}

Result<platform::UniqueFd> OpenNewest(const LogFiles& files, const HeadImage& head) {
  // Only a log without any record may be without a file.
  const bool may_make = head.under_way == UnderWay::kCreation && head.current.seq == 0;
  auto file = files.Open(files.name(),
                         may_make ? PrivateAccess::kMakeIfMissing : PrivateAccess::kReadWrite);
  if (!file && file.error().code == ErrorCode::kNotFound) {
    return Damaged(files.name() + " is missing");
  }
  return file;
}

}  // namespace

Result<Recovered> Recover(const LogFiles& files, const HeadImage& head,
                          const platform::BootId& boot, HmacSha256& mac) {
  const bool power_lost = head.current.boot != boot;
  Recovered recovered;
  recovered.end = power_lost ? head.durable : head.current;
  HeadState& state = recovered.end;
  TRY(FollowLeftFiles(files, mac, state));
  TRY(files.Remove(files.next_name()));
  TRY_ASSIGN(const platform::UniqueFd file, OpenNewest(files, head));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file.get()));
  if (stat.size < state.offset) return Damaged(files.name() + " is shorter than it was");
  TRY_ASSIGN(const ChainEnd end, FollowChain(file.get(), stat.size, mac, state));
  if (!MayCut(end, power_lost)) {
    return Damaged(files.name() + " holds lines that no writer left there");
  }
  if (end != ChainEnd::kEndOfFile) TRY(platform::Truncate(file.get(), state.offset));
  if (power_lost || head.under_way == UnderWay::kCreation) {
    TRY(platform::SyncFile(file.get()));
    TRY(files.Sync());
  }
  if (power_lost && head.current.seq > state.seq) recovered.lost = head.current.seq - state.seq;
  state.boot = boot;
  return recovered;
}

}  // namespace cordon::audit
