// Heads as a test wants them, signed like real ones.
#pragma once

#include <cstring>
#include <functional>

#include "audit/head_image.h"
#include "audit/key.h"
#include "tests/audit/log_fixture.h"

namespace cordon::audit {

inline std::string HeadPath(const LogPlace& place) { return place.log_file + ".head"; }

inline HmacSha256 HeadMac(const LogPlace& place) {
  return Key::Read(
             OpenPlace(place.key_file, platform::MissingDirectory::kRefuse, Authority()).value())
      .value()
      .ForHeads();
}

inline platform::BootId OtherBoot() {
  platform::BootId boot{};
  boot.fill(7);
  return boot;
}

// Lets `edit` change what the head says, and writes it anew.
inline void EditHead(const LogPlace& place, const std::function<void(HeadImage&)>& edit) {
  std::string page = Slurp(HeadPath(place));
  HmacSha256 mac = HeadMac(place);
  HeadImage image =
      DecodeHead({page.data(), kHeadPage}, platform::CurrentBootId().value(), mac).value();
  edit(image);
  const auto put = [&](Which which, const HeadState& state) {
    const HeadSlot bytes = EncodeSlot(state, which, mac);
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      std::memcpy(page.data() + SlotAt(which, i), bytes.data(), bytes.size());
    }
  };
  put(Which::kCurrent, image.current);
  put(Which::kDurable, image.durable);
  std::memcpy(page.data() + kUnderWayAt, &image.under_way, sizeof image.under_way);
  Spill(HeadPath(place), page);
}

inline HeadImage HeadOf(const LogPlace& place) {
  HmacSha256 mac = HeadMac(place);
  const std::string page = Slurp(HeadPath(place)).substr(0, kHeadPage);
  return DecodeHead(page, platform::CurrentBootId().value(), mac).value();
}

// What the head tells of and FILE does not hold.
inline std::string StagedOf(const LogPlace& place) {
  return Slurp(HeadPath(place)).substr(kHeadPage, HeadOf(place).current.staged());
}

// A log as a killed writer leaves it: no flush, no close.
inline LogOptions NeverFlushed() {
  LogOptions options;
  options.flush_after = std::chrono::hours(1);
  return options;
}

}  // namespace cordon::audit
