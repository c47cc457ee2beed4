#include "audit/head.h"

#include <cstring>
#include <utility>

#include "audit/failure.h"
#include "audit/random.h"
#include "base/try.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"

namespace cordon::audit {
namespace {

using platform::PrivateAccess;
using platform::SharedRegion;

// Whole from the first moment: made under a name of its own.
Status MakeHead(const LogFiles& files, const Key& key, const platform::BootId& boot) {
  HeadState state;
  state.log_id = state.hash = RandomDigest();
  state.boot = boot;
  HmacSha256 mac = key.ForHeads();
  // All of it is written, the empty stage too: no store into it may ever need room.
  const std::string bytes = FirstHead(state, mac);
  const std::string own = files.head_name() + "." + ToHex(RandomDigest()).substr(0, 16);
  TRY_ASSIGN(const platform::UniqueFd file, files.Open(own, PrivateAccess::kCreateExclusive));
  Status made = platform::WriteAll(file.get(), bytes);
  if (made) made = platform::SyncFile(file.get());
  if (made) made = files.Rename(own, files.head_name());
  if (!made) {
    TRY(files.Remove(own));
    if (made.error().code != ErrorCode::kAlreadyExists) return made;
  }
  return files.Sync();
}

Result<bool> HasRecords(const LogFiles& files) {
  TRY_ASSIGN(const bool newest, files.Exists(files.name()));
  if (newest) return true;
  TRY_ASSIGN(const auto left, files.Left());
  return !left.empty();
}

Result<platform::UniqueFd> OpenOrMakeFile(const LogFiles& files, const Key& key,
                                          const platform::BootId& boot) {
  // In this order: whoever makes a log makes its head first.
  TRY_ASSIGN(const bool has_records, HasRecords(files));
  auto opened = files.Open(files.head_name(), PrivateAccess::kReadWrite);
  if (opened || opened.error().code != ErrorCode::kNotFound) return opened;
  if (has_records) return Damaged("its head " + files.head_name() + " is missing");
  TRY(MakeHead(files, key, boot));
  return files.Open(files.head_name(), PrivateAccess::kReadWrite);
}

}  // namespace

Head::Head(platform::UniqueFd file, SharedRegion region, const Key& key,
           const platform::BootId& boot)
    : file_(std::move(file)), region_(std::move(region)), mac_(key.ForHeads()), boot_(boot) {}

Result<Head> Head::OpenOrMake(const LogFiles& files, const Key& key, const platform::BootId& boot) {
  return OpenOrMake(files, key, boot, std::nullopt);
}

Result<Head> Head::OpenOrMakeForTest(const LogFiles& files, const Key& key,
                                     const platform::BootId& boot, Access access) {
  return OpenOrMake(files, key, boot, access);
}

Result<Head> Head::OpenOrMake(const LogFiles& files, const Key& key, const platform::BootId& boot,
                              std::optional<Access> access) {
  TRY_ASSIGN(platform::UniqueFd file, OpenOrMakeFile(files, key, boot));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file.get()));
  if (stat.size != kHeadSize) return Damaged("its head has not the size of one");
  const Access best = SharedRegion::BestAccess(file.get());
  TRY_ASSIGN(SharedRegion region, SharedRegion::Open(file.get(), kHeadSize, access.value_or(best)));
  return Head(std::move(file), std::move(region), key, boot);
}

Result<platform::FileLock> Head::Lock() const {
  return platform::FileLock::Take(file_.get(), platform::FileLock::Kind::kExclusive);
}

void Head::Remember() { std::memcpy(seen_.data(), region_.bytes().data(), seen_.size()); }

Status Head::Refresh() {
  TRY(region_.Load(0, kHeadPage));
  if (std::memcmp(seen_.data(), region_.bytes().data(), seen_.size()) == 0) return {};
  auto image = DecodeHead(region_.bytes().first(kHeadPage), boot_, mac_);
  if (!image) return Damaged(image.error().detail);
  image_ = *image;
  Remember();
  return {};
}

Status Head::Begin(UnderWay what) {
  TRY(region_.StoreWord(kUnderWayAt, static_cast<std::uint32_t>(what)));
  image_.under_way = what;
  std::memcpy(seen_.data() + kUnderWayAt, &what, sizeof what);
  return {};
}

Status Head::Set(Which which, const HeadState& state) {
  const bool current = which == Which::kCurrent;
  std::uint32_t& whole = current ? image_.current_slot : image_.durable_slot;
  const HeadSlot bytes = EncodeSlot(state, which, mac_);
  const std::uint32_t first = 1 - whole;
  TRY(region_.Store(SlotAt(which, first), bytes));
  whole = first;
  TRY(region_.Store(SlotAt(which, 1 - first), bytes));
  (current ? image_.current : image_.durable) = state;
  // Only now: after a failure, Refresh must look at what is there.
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    std::memcpy(seen_.data() + SlotAt(which, i), bytes.data(), bytes.size());
  }
  return {};
}

Result<std::string_view> Head::Staged() {
  const std::size_t size = image_.current.staged();
  if (size > 0) TRY(region_.Load(kHeadPage, size));
  return std::string_view(region_.bytes().data() + kHeadPage, size);
}

bool Head::HasRoomFor(std::size_t size) const {
  return region_.access() == Access::kMapped && size <= kStageSize - image_.current.staged();
}

Status Head::Stage(std::string_view bytes) {
  return region_.Store(kHeadPage + image_.current.staged(), bytes);
}

Status Head::Sync() const { return platform::SyncFile(file_.get()); }

Status Head::CheckName(const LogFiles& files) const {
  TRY_ASSIGN(const platform::FileStat mine, platform::StatDescriptor(file_.get()));
  const auto named = platform::StatEntry(files.directory(), files.head_name().c_str());
  if (!named || named->identity != mine.identity) {
    return Damaged("its head " + files.head_name() + " was taken away");
  }
  return {};
}

}  // namespace cordon::audit
