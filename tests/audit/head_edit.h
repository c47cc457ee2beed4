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
  HeadImage image = DecodeHead(page, platform::CurrentBootId().value(), mac).value();
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
  return DecodeHead(Slurp(HeadPath(place)), platform::CurrentBootId().value(), mac).value();
}

}  // namespace cordon::audit
