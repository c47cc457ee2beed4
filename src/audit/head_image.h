// The bytes of FILE.head: where the log ends, signed, so that nobody can shorten the
// log unnoticed. docs/audit-format.md has the layout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "cordon/result.h"
#include "platform/boot_id.h"

namespace cordon::audit {

// Where a log ended at one moment.
struct HeadState {
  Digest log_id{};               // stands for the record before the first
  platform::BootId boot{};       // the start of the machine in which this was written
  std::uint64_t generation = 1;  // of the file that FILE names
  std::uint64_t seq = 0;         // of the last record; 0 when there is none
  std::uint64_t offset = 0;      // in that file, behind the last record
  std::uint64_t written = 0;     // where the file itself ends: what follows is staged
  Digest hash{};                 // of the last record; log_id when there is none

  std::uint64_t staged() const { return offset - written; }
  bool operator==(const HeadState&) const = default;
};
// Whether `a` ended later in the same log, or in the same place with more of it in the file.
bool IsAfter(const HeadState& a, const HeadState& b);

// What a writer has begun. Anything but kNothing, with nobody at work, is what a
// killed writer left.
enum class UnderWay : std::uint32_t { kNothing, kCreation, kAppend, kRotation, kFlush };

// Each head stands in two slots, written one after the other: one is always whole. With
// nobody at work both say the same, so that no older end is there to go back to.
enum class Which { kCurrent, kDurable };

struct HeadImage {
  UnderWay under_way = UnderWay::kNothing;
  std::uint32_t current_slot = 0, durable_slot = 0;  // whole for certain: write the other first
  HeadState current;                                 // of everything that was acknowledged
  HeadState durable;                                 // of what is on the disk for certain
};

using HeadSlot = std::array<char, 152>;
inline constexpr std::uint32_t kSlots = 2;

inline constexpr std::string_view kHeadMagic = "cordonH2";
inline constexpr std::size_t kUnderWayAt = 16;
inline constexpr std::size_t kHeadUsed = 5 * 256;  // the rest of the page is zero
inline constexpr std::size_t kHeadPage = 4096;
// Behind the page, the stage: records that the head tells of and FILE does not hold yet.
inline constexpr std::size_t kHeadSize = 64u << 10;
inline constexpr std::size_t kStageSize = kHeadSize - kHeadPage;
std::size_t SlotAt(Which which, std::uint32_t slot);

HeadSlot EncodeSlot(const HeadState& state, Which which, HmacSha256& mac);

// Where a writer was killed, or the power was lost (another boot), the newest whole slot
// counts; otherwise every byte must be as a writer leaves it.
// Errors: kIoError with what is wrong.
Result<HeadImage> DecodeHead(std::span<const char> page, const platform::BootId& boot,
                             HmacSha256& mac);

// What a slot says, whoever wrote it: for those who have no key. Nothing where no writer
// could say so.
std::optional<HeadState> DecodeSlotUnchecked(std::span<const char> page, Which which,
                                             std::uint32_t slot);

// All bytes of the head of a log that has no record yet.
std::string FirstHead(const HeadState& state, HmacSha256& mac);

}  // namespace cordon::audit
