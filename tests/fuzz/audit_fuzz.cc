// ParseEntry on any bytes: it never crashes, and a line it takes can be shown on a
// terminal, is written down again as the same, and cannot be told apart by reading.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "audit/names.h"
#include "audit/reader.h"
#include "audit/timestamp.h"
#include "base/unicode.h"

namespace {

using cordon::Result;
using cordon::audit::Entry;

[[noreturn]] void Broken(const char* what, std::string_view text) {
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

void Text(std::string& line, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  line += (line.ends_with('{') ? "\"" : ",\"") + std::string(name) + "\":\"";
  cordon::audit::AppendEncoded(line, value);
  line += '"';
}

void Number(std::string& line, std::string_view name, std::uint64_t value) {
  if (value != 0) line += ",\"" + std::string(name) + "\":" + std::to_string(value);
}

std::string Write(const Entry& entry) {
  std::string line = "{\"seq\":" + std::to_string(entry.seq);
  Text(line, "time", entry.time);
  Text(line, "event", entry.event);
  Text(line, "phase", entry.phase);
  Number(line, "begun", entry.begun);
  Text(line, "session", entry.session);
  Text(line, "conversation", entry.conversation);
  Text(line, "sandbox", entry.sandbox);
  Text(line, "actor", entry.actor);
  Text(line, "tool", entry.tool);
  Text(line, "operation", entry.operation);
  if (!entry.asked.empty() || !entry.resolved.empty()) {
    line += ",\"path\":{";
    Text(line, "asked", entry.asked);
    Text(line, "resolved", entry.resolved);
    line += '}';
  }
  Text(line, "target", entry.target);
  Text(line, "decision", entry.decision);
  Text(line, "rule", entry.rule);
  Text(line, "tier", entry.tier);
  Text(line, "error", entry.error);
  Text(line, "violation", entry.violation);
  Text(line, "question", entry.question);
  Text(line, "choice", entry.choice);
  Text(line, "channel", entry.channel);
  Number(line, "lost", entry.lost);
  if (entry.unprotected) Text(line, "protection", "off");
  line += ",\"duration_ns\":" + std::to_string(entry.duration_ns);
  Text(line, "prev", entry.prev);
  Text(line, "hash", entry.hash);
  return line + "}";
}

void CheckShows(std::string_view line) {
  for (std::string_view rest = line; !rest.empty();) {
    const cordon::unicode::Decoded next = cordon::unicode::DecodeFirst(rest);
    if (!next.valid || !cordon::unicode::ShowsAsItself(next.code_point)) Broken("steers", line);
    rest.remove_prefix(next.length);
  }
}

void CheckTimes(std::string_view text) {
  const auto time = cordon::audit::ParseTimestamp(text);
  if (!time) return;
  const auto again = cordon::audit::ParseTimestamp(cordon::audit::FormatSeconds(*time));
  // The year may leave what nanoseconds can count by an offset at its very end.
  if (again && (*time < *again || *time - *again >= cordon::audit::kNsPerSecond)) {
    Broken("another time", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  CheckTimes(line);
  const Result<Entry> entry = cordon::audit::ParseEntry(line);
  if (!entry) {
    if (entry.error().code != cordon::ErrorCode::kInvalidArguments) Broken("other error", line);
    if (entry.error().detail.empty()) Broken("no reason", line);
    return 0;
  }
  CheckShows(line);
  const std::string written = Write(*entry);
  const Result<Entry> again = cordon::audit::ParseEntry(written);
  if (!again) Broken("does not read its own writing", again.error().detail + "\n" + written);
  if (Write(*again) != written) Broken("reads something else", written);
  return 0;
}
