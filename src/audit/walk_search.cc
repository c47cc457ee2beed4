// Walk's second look at a log, to tell what happened to a record out of its place.
#include <algorithm>

#include "audit/walk.h"
#include "base/try.h"

namespace cordon::audit {

Result<Walk::Ahead> Walk::LookAhead(const Place& place, const Frame* frame) {
  Ahead ahead;
  // The chain that `frame` begins; followed for as long as it is unbroken.
  std::uint64_t chain_seq = frame != nullptr ? frame->seq : 0;
  Digest chain_hash = frame != nullptr ? frame->hash : Digest{};
  const std::uint64_t stranger = chain_seq;
  bool chained = frame != nullptr;
  for (std::size_t i = place.part; i < snapshot_.parts.size(); ++i) {
    LogPart& part = snapshot_.parts[i];
    TRY(OpenPart(files_, part));
    if (!part.file.valid()) continue;
    LineScanner lines(part.bytes(), i == place.part ? place.end : 0, part.size);
    while (true) {
      TRY_ASSIGN(const auto line, lines.Next());
      if (!line) break;
      const auto next = ReadFrame(line->text);
      if (!next || !IsAuthentic(*next, mac_)) {
        chained = false;
        continue;
      }
      if (next->seq == seq_ + 1 && next->prev == hash_) ahead.expected = true;
      if (frame != nullptr && next->seq == stranger && next->hash != frame->hash) {
        ahead.rival = true;
      }
      chained = chained && next->seq == chain_seq + 1 && next->prev == chain_hash;
      chain_seq = next->seq;
      chain_hash = next->hash;
    }
  }
  ahead.elsewhere = chained && chain_hash != snapshot_.binding.hash && !snapshot_.loose;
  return ahead;
}

Result<bool> Walk::WasSeen(const Frame& frame, const Place& place) {
  for (std::size_t i = first_part_; i <= place.part; ++i) {
    LogPart& part = snapshot_.parts[i];
    const std::uint64_t end = i == place.part ? place.offset : part.size;
    LineScanner lines(part.bytes(), 0, end);
    while (true) {
      TRY_ASSIGN(const auto line, lines.Next());
      if (!line) break;
      const auto earlier = ReadFrame(line->text);
      if (earlier && earlier->seq == frame.seq) return earlier->hash == frame.hash;
    }
  }
  return false;
}

}  // namespace cordon::audit
