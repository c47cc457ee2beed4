#include "audit/head_image.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "base/try.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kSlotSpacing = 256;  // no slot crosses a sector of the disk
constexpr std::size_t kSignedSize = 120;
static_assert(kSignedSize + sizeof(Digest) == sizeof(HeadSlot));
static_assert(sizeof(HeadSlot) <= kSlotSpacing && kHeadUsed <= kHeadPage);

Error Broken(std::string_view what) {
  Error error;
  error.op = "head";
  error.detail = what;
  return error;
}

void PutNumber(char* at, std::uint64_t number) {
  for (int i = 0; i < 8; ++i) at[i] = static_cast<char>(number >> (8 * i));
}
std::uint64_t GetNumber(const char* at) {
  std::uint64_t number = 0;
  for (int i = 7; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(at[i]);
  return number;
}

// A slot of one head must not pass for one of the other.
Digest SignatureOf(std::string_view bytes, Which which, HmacSha256& mac) {
  std::array<char, kSignedSize + 1> covered;
  std::memcpy(covered.data(), bytes.data(), kSignedSize);
  covered[kSignedSize] = which == Which::kCurrent ? 'c' : 'd';
  return mac.Of({covered.data(), covered.size()});
}

bool IsZero(std::span<const char> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
}

HeadState FieldsOf(const char* at) {
  HeadState state;
  std::memcpy(state.log_id.data(), at, 32);
  std::memcpy(state.hash.data(), at + 32, 32);
  std::memcpy(state.boot.data(), at + 64, 16);
  state.generation = GetNumber(at + 80);
  state.seq = GetNumber(at + 88);
  state.offset = GetNumber(at + 96);
  state.written = GetNumber(at + 104);
  return state;
}

bool CanBeStaged(const HeadState& state) {
  return state.written <= state.offset && state.staged() <= kStageSize;
}

// Nothing unless it is whole.
std::optional<HeadState> DecodeSlot(std::span<const char> bytes, Which which, HmacSha256& mac) {
  Digest signature;
  std::memcpy(signature.data(), bytes.data() + kSignedSize, signature.size());
  if (!SameDigest(SignatureOf({bytes.data(), kSignedSize}, which, mac), signature)) {
    return std::nullopt;
  }
  return FieldsOf(bytes.data());
}

using Slots = std::array<std::optional<HeadState>, kSlots>;

Slots DecodeSlots(std::span<const char> page, Which which, HmacSha256& mac) {
  const auto one = page.subspan(SlotAt(which, 0), sizeof(HeadSlot));
  const auto two = page.subspan(SlotAt(which, 1), sizeof(HeadSlot));
  Slots slots;
  slots[0] = DecodeSlot(one, which, mac);
  // Nearly always the same: no need to compute the signature twice.
  slots[1] =
      std::equal(one.begin(), one.end(), two.begin()) ? slots[0] : DecodeSlot(two, which, mac);
  return slots;
}

std::optional<std::uint32_t> NewestWhole(const Slots& slots) {
  std::optional<std::uint32_t> newest;
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    if (!slots[i]) continue;
    if (!newest || IsAfter(*slots[i], *slots[*newest])) newest = i;
  }
  return newest;
}

// A writer fills both before it says that it is done: whoever finds one older, torn or
// blank then, finds what somebody else did, perhaps to go back to an earlier end.
Status CheckAtRest(const Slots& slots) {
  if (!slots[0] || !slots[1]) return Broken("the head's signature is wrong");
  if (*slots[0] != *slots[1]) return Broken("the head's two halves differ");
  return {};
}

Result<std::uint32_t> ChooseSlot(const Slots& slots) {
  const auto newest = NewestWhole(slots);
  if (!newest) return Broken("the head's signature is wrong");
  return *newest;
}

bool IsZeroOutsideSlots(std::span<const char> page) {
  if (!IsZero(page.subspan(kHeadMagic.size(), kUnderWayAt - kHeadMagic.size()))) return false;
  if (!IsZero(page.subspan(kUnderWayAt + 4, kSlotSpacing - kUnderWayAt - 4))) return false;
  for (const Which which : {Which::kCurrent, Which::kDurable}) {
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      const std::size_t end = SlotAt(which, i) + sizeof(HeadSlot);
      if (!IsZero(page.subspan(end, kSlotSpacing - sizeof(HeadSlot)))) return false;
    }
  }
  return IsZero(page.subspan(kHeadUsed));
}

}  // namespace

bool IsAfter(const HeadState& a, const HeadState& b) {
  return std::tie(a.seq, a.generation, a.offset, a.written) >
         std::tie(b.seq, b.generation, b.offset, b.written);
}

std::size_t SlotAt(Which which, std::uint32_t slot) {
  return kSlotSpacing * (1 + (which == Which::kCurrent ? 0 : kSlots) + slot);
}

HeadSlot EncodeSlot(const HeadState& state, Which which, HmacSha256& mac) {
  HeadSlot slot{};
  char* const at = slot.data();
  std::memcpy(at, state.log_id.data(), 32);
  std::memcpy(at + 32, state.hash.data(), 32);
  std::memcpy(at + 64, state.boot.data(), 16);
  PutNumber(at + 80, state.generation);
  PutNumber(at + 88, state.seq);
  PutNumber(at + 96, state.offset);
  PutNumber(at + 104, state.written);
  const Digest signature = SignatureOf({at, kSignedSize}, which, mac);
  std::memcpy(at + kSignedSize, signature.data(), signature.size());
  return slot;
}

std::optional<HeadState> DecodeSlotUnchecked(std::span<const char> page, Which which,
                                             std::uint32_t slot) {
  const HeadState state = FieldsOf(page.data() + SlotAt(which, slot));
  if (!CanBeStaged(state)) return std::nullopt;
  return state;
}

std::string FirstHead(const HeadState& state, HmacSha256& mac) {
  std::string head(kHeadSize, '\0');
  head.replace(0, kHeadMagic.size(), kHeadMagic);
  const auto under_way = static_cast<std::uint32_t>(UnderWay::kCreation);
  std::memcpy(head.data() + kUnderWayAt, &under_way, sizeof under_way);
  for (const Which which : {Which::kCurrent, Which::kDurable}) {
    const HeadSlot slot = EncodeSlot(state, which, mac);
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      std::memcpy(head.data() + SlotAt(which, i), slot.data(), slot.size());
    }
  }
  return head;
}

Result<HeadImage> DecodeHead(std::span<const char> page, const platform::BootId& boot,
                             HmacSha256& mac) {
  if (page.size() != kHeadPage) return Broken("the head is not one page");
  if (std::string_view(page.data(), kHeadMagic.size()) != kHeadMagic) {
    return Broken("the head does not begin as one");
  }
  if (!IsZeroOutsideSlots(page)) return Broken("the head has bytes that no writer left");
  HeadImage image;
  std::uint32_t under_way = 0;
  std::memcpy(&under_way, page.data() + kUnderWayAt, sizeof under_way);
  if (under_way > static_cast<std::uint32_t>(UnderWay::kFlush)) {
    return Broken("the head's state is none that a writer leaves");
  }
  image.under_way = static_cast<UnderWay>(under_way);
  const Slots current = DecodeSlots(page, Which::kCurrent, mac);
  const Slots durable = DecodeSlots(page, Which::kDurable, mac);
  const auto newest = NewestWhole(current);
  const bool other_boot = newest && current[*newest]->boot != boot;
  const bool at_rest = !other_boot && image.under_way == UnderWay::kNothing;
  if (at_rest) {
    TRY(CheckAtRest(current));
    TRY(CheckAtRest(durable));
  }
  TRY_ASSIGN(image.current_slot, ChooseSlot(current));
  TRY_ASSIGN(image.durable_slot, ChooseSlot(durable));
  image.current = *current[image.current_slot];
  image.durable = *durable[image.durable_slot];
  if (image.current.log_id != image.durable.log_id) return Broken("the head is of two logs");
  if (!CanBeStaged(image.current) || image.durable.written != image.durable.offset) {
    return Broken("the head tells of more than can be staged");
  }
  // The two parts of one page may be of different moments only after a loss of power.
  if (!other_boot && IsAfter(image.durable, image.current)) {
    return Broken("the head's two ends are the wrong way round");
  }
  return image;
}

}  // namespace cordon::audit
