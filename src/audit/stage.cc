#include "audit/stage.h"

#include <optional>

#include "audit/failure.h"
#include "audit/line.h"

namespace cordon::audit {
namespace {

Error Changed() { return Damaged("what its head holds for it is not what was written"); }

// Cut off from `text`; nothing unless its newline is there.
std::optional<std::string_view> TakeLine(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline + 1);
  return line;
}

std::string_view LastLine(std::string_view text) {
  if (!text.ends_with('\n')) return {};
  text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // from the beginning if there is no other
}

std::optional<HeadState> Plausible(std::string_view head, std::uint32_t slot) {
  const auto state = DecodeSlotUnchecked({head.data(), kHeadPage}, Which::kCurrent, slot);
  if (!state || state->staged() == 0) return state;
  const auto frame = ReadFrame(LastLine(head.substr(kHeadPage, state->staged())));
  if (!frame || frame->seq != state->seq || frame->hash != state->hash) return std::nullopt;
  return state;
}

}  // namespace

Status CheckStaged(std::string_view staged, const HeadState& end, HmacSha256& mac) {
  if (staged.empty()) return {};
  std::optional<Frame> last;
  while (!staged.empty()) {
    const auto line = TakeLine(staged);
    if (!line) return Changed();
    const auto frame = ReadFrame(*line);
    if (!frame || !IsAuthentic(*frame, mac)) return Changed();
    if (last && (frame->seq != last->seq + 1 || frame->prev != last->hash)) return Changed();
    last = frame;
  }
  if (last->seq != end.seq || last->hash != end.hash) return Changed();
  return {};
}

Staged ReadStagedUnchecked(std::string_view head) {
  if (head.size() != kHeadSize || !head.starts_with(kHeadMagic)) return {};
  std::optional<HeadState> newest;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const auto state = Plausible(head, slot);
    if (state && (!newest || IsAfter(*state, *newest))) newest = state;
  }
  if (!newest) return {};
  return {newest->written, std::string(head.substr(kHeadPage, newest->staged()))};
}

}  // namespace cordon::audit
