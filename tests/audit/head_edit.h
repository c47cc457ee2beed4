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
  const auto put_slot = [&](Which which, std::uint32_t slot, const HeadState& state) {
    const HeadSlot bytes = EncodeSlot(state, which, mac);
    std::memcpy(page.data() + SlotAt(which, slot), bytes.data(), bytes.size());
  };
  // The other halves are blank, as in a new log.
  for (const Which which : {Which::kCurrent, Which::kDurable}) {
    std::memset(page.data() + SlotAt(which, 1), 0, sizeof(HeadSlot));
  }
  put_slot(Which::kCurrent, 0, image.current);
  put_slot(Which::kDurable, 0, image.durable);
  const std::uint32_t words[] = {0, 0, static_cast<std::uint32_t>(image.under_way)};
  std::memcpy(page.data() + kCurrentIndexAt, words, sizeof words);
  Spill(HeadPath(place), page);
}

inline HeadImage HeadOf(const LogPlace& place) {
  HmacSha256 mac = HeadMac(place);
  return DecodeHead(Slurp(HeadPath(place)), platform::CurrentBootId().value(), mac).value();
}

}  // namespace cordon::audit
