#include "audit/snapshot.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/file_lock.h"
#include "platform/file_stat.h"

namespace cordon::audit {
namespace {

// Fills in what the head says, unless it cannot be believed.
Status ReadHead(int head, HmacSha256& mac, LogSnapshot& snapshot) {
  TRY_ASSIGN(const platform::BootId boot, platform::CurrentBootId());
  std::string bytes(kHeadSize + 1, '\0');
  TRY_ASSIGN(const std::size_t size, platform::ReadAt(head, 0, bytes));
  if (size != kHeadSize) {
    snapshot.head_broken = "the head has not the size of one";
    return {};
  }
  auto image = DecodeHead({bytes.data(), kHeadPage}, boot, mac);
  if (!image) {
    snapshot.head_broken = image.error().detail;
    return {};
  }
  snapshot.head = *image;
  snapshot.staged = bytes.substr(kHeadPage, image->current.staged());
  snapshot.power_lost = image->current.boot != boot;
  snapshot.loose = snapshot.power_lost || image->under_way != UnderWay::kNothing;
  snapshot.binding = snapshot.power_lost ? image->durable : image->current;
  return {};
}

Status FindParts(const LogFiles& files, LogSnapshot& snapshot) {
  TRY_ASSIGN(const auto left, files.Left());
  const std::uint64_t bound = snapshot.binding.generation;
  std::uint64_t newest = bound;
  if (snapshot.loose) {
    while (std::binary_search(left.begin(), left.end(), newest)) ++newest;
  }
  for (const std::uint64_t generation : left) {
    if (generation == 0 || generation >= newest) {
      snapshot.unknown.push_back(files.NameOf(generation));
    }
  }
  const std::uint64_t oldest = left.empty() ? newest : std::min(left.front(), newest);
  for (std::uint64_t generation = std::max(oldest, std::uint64_t{1}); generation <= newest;
       ++generation) {
    LogPart part;
    part.name = generation == newest ? files.name() : files.NameOf(generation);
    part.generation = generation;
    if (generation == snapshot.head.current.generation && generation == newest) {
      part.staged = {snapshot.head.current.written, snapshot.staged};
    }
    if (generation >= bound) TRY(OpenPart(files, part));
    snapshot.parts.push_back(std::move(part));
  }
  return {};
}

Error NoLog(const LogFiles& files) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "audit";
  error.component = files.name();
  error.detail = "there is no audit log " + files.name();
  return error;
}

}  // namespace

Status OpenPart(const LogFiles& files, LogPart& part) {
  if (part.opened) return {};
  TRY_ASSIGN(auto file, files.OpenIfThere(part.name));
  part.opened = true;
  if (!file) return {};
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file->get()));
  part.file = std::move(*file);
  part.file_size = stat.size;
  part.size = part.bytes().EndWith(stat.size);
  return {};
}

Result<LogSnapshot> TakeSnapshot(const LogFiles& files, HmacSha256& head_mac) {
  LogSnapshot snapshot;
  TRY_ASSIGN(const auto head, files.OpenIfThere(files.head_name()));
  if (!head) {
    TRY_ASSIGN(const bool newest, files.Exists(files.name()));
    TRY_ASSIGN(const auto left, files.Left());
    if (!newest && left.empty()) return NoLog(files);
    return snapshot;
  }
  snapshot.has_head = true;
  TRY_ASSIGN(const platform::FileLock lock,
             platform::FileLock::Take(head->get(), platform::FileLock::Kind::kShared));
  TRY(ReadHead(head->get(), head_mac, snapshot));
  if (!snapshot.head_broken.empty()) return snapshot;
  TRY(FindParts(files, snapshot));
  return snapshot;
}

}  // namespace cordon::audit
