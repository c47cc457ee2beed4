// One record as one line; docs/audit-format.md has the form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/record.h"
#include "base/sha256.h"

namespace cordon::audit {

// No line is longer, so that whoever reads one needs only so much memory. Three paths
// of 64 KiB with nothing but odd bytes fit.
inline constexpr std::size_t kMaxLine = 1u << 20;

// The part of a line that depends on nothing but the record: from `,"event"` up to
// what comes before `,"prev"`.
void AppendBody(std::string& text, const Record& record);

// Adds number, time and chain.
// Thread safety: one object serves one thread at a time.
class LineWriter {
 public:
  explicit LineWriter(HmacSha256 mac);
  // Adds the whole line, newline included; the hash it got.
  Digest Append(std::string& text, std::uint64_t seq, std::int64_t time_ns, std::string_view body,
                const Digest& prev);

 private:
  void AppendTime(std::string& text, std::int64_t time_ns);

  HmacSha256 mac_;
  std::int64_t second_ = -1;
  std::string second_text_;  // "2026-11-15T13:42:13."
};

// What a line says of its place in the log. Views are into the line.
struct Frame {
  std::uint64_t seq = 0;
  std::string_view event;
  Digest prev{};
  Digest hash{};
  std::string_view covered;  // by the hash
};
// Of a line without its newline; nothing if it has not the outer form of one. Only a
// frame whose hash is right says anything.
std::optional<Frame> ReadFrame(std::string_view line);
bool IsAuthentic(const Frame& frame, HmacSha256& mac);

}  // namespace cordon::audit
