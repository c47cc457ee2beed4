#include "audit/recovery.h"

#include <algorithm>
#include <string>

#include "audit/failure.h"
#include "audit/scan.h"
#include "audit/stage.h"
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
    TRY_ASSIGN(const ChainEnd end, FollowChain(LogBytes(file->get()), stat.size, mac, state));
    if (end != ChainEnd::kEndOfFile) return Damaged(name + " does not end as it was left");
    ++state.generation;
    state.offset = state.written = 0;
  }
}

enum class Cause { kKill, kPowerLoss };

// Whether what stands behind the chain may be cut off: a kill leaves the beginning of
// one line; a loss of power whatever the disk held, but never a record of elsewhere.
bool MayCut(ChainEnd end, Cause cause) {
  switch (end) {
    case ChainEnd::kEndOfFile:
    case ChainEnd::kUnfinished: return true;
    case ChainEnd::kNoRecord: return cause == Cause::kPowerLoss;
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

Error NotLeftThere(const std::string& name) {
  return Damaged(name + " holds lines that no writer left there");
}

// The newest file as it was found.
struct Newest {
  const std::string& name;
  int fd;
  std::uint64_t size;
};

// A kill while the stage was brought into the file leaves its beginning there, or all.
Status SettleStage(const Newest& file, std::string_view staged, HmacSha256& mac, HeadState& state) {
  TRY(CheckStaged(staged, state, mac));
  std::string begun(std::min<std::uint64_t>(file.size - state.written, staged.size()), '\0');
  TRY_ASSIGN(const std::size_t got, platform::ReadAt(file.fd, state.written, begun));
  if (got != begun.size() || !staged.starts_with(begun)) return NotLeftThere(file.name);
  if (begun.size() == staged.size()) {
    state.written = state.offset;
    return {};
  }
  return begun.empty() ? Status() : platform::Truncate(file.fd, state.written);
}

// Takes in what stands behind `state`, in the file or, after a loss of power, in the stage.
Status FollowNewest(const Newest& file, const Staged& staged, Cause cause, HmacSha256& mac,
                    HeadState& state) {
  const LogBytes bytes(file.fd, staged);
  TRY_ASSIGN(const ChainEnd end, FollowChain(bytes, bytes.EndWith(file.size), mac, state));
  // Of the stage, a loss of power may leave what was there before.
  const bool in_stage = !staged.bytes.empty() && state.offset >= file.size;
  if (!in_stage && !MayCut(end, cause)) return NotLeftThere(file.name);
  if (state.offset > file.size) {
    const std::size_t from = file.size - staged.from;
    const std::size_t size = state.offset - file.size;
    TRY(platform::WriteAllAt(file.fd, file.size,
                             std::string_view(staged.bytes).substr(from, size)));
  } else if (end != ChainEnd::kEndOfFile) {
    TRY(platform::Truncate(file.fd, state.offset));
  }
  state.written = state.offset;
  return {};
}

}  // namespace

Result<Recovered> Recover(const LogFiles& files, const HeadImage& head, std::string_view staged,
                          const platform::BootId& boot, HmacSha256& mac) {
  const bool power_lost = head.current.boot != boot;
  Recovered recovered;
  recovered.end = power_lost ? head.durable : head.current;
  HeadState& state = recovered.end;
  TRY(FollowLeftFiles(files, mac, state));
  TRY(files.Remove(files.next_name()));
  TRY_ASSIGN(const platform::UniqueFd file, OpenNewest(files, head));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file.get()));
  const Newest newest{files.name(), file.get(), stat.size};
  if (stat.size < state.written) return Damaged(files.name() + " is shorter than it was");
  if (state.staged() > 0) TRY(SettleStage(newest, staged, mac, state));
  if (state.staged() == 0) {
    Staged perhaps;  // whole and of the same moment as the head, or neither
    if (power_lost && head.current.generation == state.generation) {
      perhaps = {head.current.written, std::string(staged)};
    }
    const Cause cause = power_lost ? Cause::kPowerLoss : Cause::kKill;
    TRY(FollowNewest(newest, perhaps, cause, mac, state));
  }
  if (power_lost || head.under_way == UnderWay::kCreation) {
    TRY(platform::SyncFile(file.get()));
    TRY(files.Sync());
  }
  if (power_lost && head.current.seq > state.seq) recovered.lost = head.current.seq - state.seq;
  state.boot = boot;
  return recovered;
}

}  // namespace cordon::audit
