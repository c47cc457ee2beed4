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
using platform::SharedPage;

// Whole from the first moment: made under a name of its own.
Status MakeHead(const LogFiles& files, const Key& key, const platform::BootId& boot) {
  HeadState state;
  state.log_id = state.hash = RandomDigest();
  state.boot = boot;
  HmacSha256 mac = key.ForHeads();
  const HeadPage page = FirstHead(state, mac);
  const std::string own = files.head_name() + "." + ToHex(RandomDigest()).substr(0, 16);
  TRY_ASSIGN(const platform::UniqueFd file, files.Open(own, PrivateAccess::kCreateExclusive));
  Status made = platform::WriteAll(file.get(), {page.data(), page.size()});
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

Head::Head(platform::UniqueFd file, SharedPage page, const Key& key, const platform::BootId& boot)
    : file_(std::move(file)), page_(std::move(page)), mac_(key.ForHeads()), boot_(boot) {}

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
  if (stat.size != platform::kSharedPageSize) return Damaged("its head is not one page");
  TRY_ASSIGN(SharedPage page,
             SharedPage::Open(file.get(), access.value_or(SharedPage::BestAccess(file.get()))));
  return Head(std::move(file), std::move(page), key, boot);
}

Result<platform::FileLock> Head::Lock() const {
  return platform::FileLock::Take(file_.get(), platform::FileLock::Kind::kExclusive);
}

void Head::Remember() { std::memcpy(seen_.data(), page_.bytes().data(), seen_.size()); }

Status Head::Refresh() {
  TRY(page_.Load());
  if (std::memcmp(seen_.data(), page_.bytes().data(), seen_.size()) == 0) return {};
  auto image = DecodeHead(page_.bytes(), boot_, mac_);
  if (!image) return Damaged(image.error().detail);
  image_ = *image;
  Remember();
  return {};
}

Status Head::Begin(UnderWay what) {
  TRY(page_.StoreWord(kUnderWayAt, static_cast<std::uint32_t>(what)));
  image_.under_way = what;
  std::memcpy(seen_.data() + kUnderWayAt, &what, sizeof what);
  return {};
}

Status Head::Set(Which which, const HeadState& state) {
  const bool current = which == Which::kCurrent;
  std::uint32_t& whole = current ? image_.current_slot : image_.durable_slot;
  const HeadSlot bytes = EncodeSlot(state, which, mac_);
  const std::uint32_t first = 1 - whole;
  TRY(page_.Store(SlotAt(which, first), bytes));
  whole = first;
  TRY(page_.Store(SlotAt(which, 1 - first), bytes));
  (current ? image_.current : image_.durable) = state;
  // Only now: after a failure, Refresh must look at what is there.
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    std::memcpy(seen_.data() + SlotAt(which, i), bytes.data(), bytes.size());
  }
  return {};
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
