#include "audit/line.h"

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include "audit/names.h"

namespace cordon::audit {
namespace {

constexpr std::string_view kSeq = R"({"seq":)";
constexpr std::string_view kTime = R"(,"time":")";
constexpr std::string_view kEvent = R"(","event":")";
constexpr std::string_view kPrev = R"(,"prev":")";
constexpr std::string_view kHash = R"(,"hash":")";
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kTimeSize = 30;  // 2026-11-15T13:42:13.123456789Z
constexpr std::size_t kDigestSize = 64;

template <typename Integer>
void AppendNumber(std::string& text, Integer number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

// `field` is `,"name":"`.
void AppendText(std::string& text, std::string_view field, std::string_view value) {
  if (value.empty()) return;
  text += field;
  AppendEncoded(text, value);
  text += '"';
}

// The same for a word of our own, in which nothing needs to be encoded.
void AppendName(std::string& text, std::string_view field, std::string_view name) {
  if (name.empty()) return;
  text += field;
  text += name;
  text += '"';
}

void AppendPath(std::string& text, const Record& record) {
  if (record.asked.empty() && record.resolved.empty()) return;
  text += R"(,"path":{)";
  AppendText(text, R"("asked":")", record.asked);
  if (!record.asked.empty() && !record.resolved.empty()) text += ',';
  AppendText(text, R"("resolved":")", record.resolved);
  text += '}';
}

void AppendOutcome(std::string& text, const Record& record) {
  AppendName(text, R"(,"decision":")", DecisionName(record.decision));
  AppendText(text, R"(,"rule":")", record.rule);
  AppendName(text, R"(,"tier":")", TierName(record.tier));
  if (record.error) AppendName(text, R"(,"error":")", ErrorCodeName(*record.error));
  AppendName(text, R"(,"violation":")", ViolationName(record.violation));
}

void AppendPadded(std::string& text, std::uint64_t number, std::size_t width) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto size = static_cast<std::size_t>(end - digits.data());
  if (size < width) text.append(width - size, '0');
  text.append(digits.data(), end);
}

bool Take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

// The digest in `field` at the very end of `text`, which is cut off.
std::optional<Digest> TakeLastDigest(std::string_view& text, std::string_view field) {
  const std::size_t size = field.size() + kDigestSize;
  if (text.size() < size) return std::nullopt;
  std::string_view last = text.substr(text.size() - size);
  if (!Take(last, field)) return std::nullopt;
  text.remove_suffix(size);
  return FromHex(last);
}

}  // namespace

void AppendBody(std::string& text, const Record& record) {
  AppendName(text, R"(,"event":")", EventName(record.event));
  if (record.phase == Phase::kBegin) text += R"(,"phase":"begin")";
  if (record.phase == Phase::kEnd) text += R"(,"phase":"end")";
  if (record.begun != 0) {
    text += R"(,"begun":)";
    AppendNumber(text, record.begun);
  }
  AppendText(text, R"(,"session":")", record.session);
  AppendText(text, R"(,"conversation":")", record.conversation);
  AppendText(text, R"(,"sandbox":")", record.sandbox);
  AppendText(text, R"(,"actor":")", record.actor);
  AppendText(text, R"(,"tool":")", record.tool);
  if (record.operation) AppendName(text, R"(,"operation":")", OperationName(*record.operation));
  AppendPath(text, record);
  AppendText(text, R"(,"target":")", record.target);
  AppendOutcome(text, record);
  AppendText(text, R"(,"question":")", record.question);
  AppendText(text, R"(,"choice":")", record.choice);
  AppendText(text, R"(,"channel":")", record.channel);
  if (record.lost != 0) {
    text += R"(,"lost":)";
    AppendNumber(text, record.lost);
  }
  if (record.protection == Protection::kOff) text += R"(,"protection":"off")";
  text += R"(,"duration_ns":)";
  AppendNumber(text, record.duration_ns);
}

LineWriter::LineWriter(HmacSha256 mac) : mac_(std::move(mac)) {}

void LineWriter::AppendTime(std::string& text, std::int64_t time_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t second = time_ns / kSecond;
  if (second != second_ || second_text_.empty()) {
    using std::chrono::days;
    const std::chrono::sys_seconds time{std::chrono::seconds(second)};
    const auto day = std::chrono::floor<days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    second_ = second;
    second_text_.clear();
    AppendPadded(second_text_, static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
    second_text_ += '-';
    AppendPadded(second_text_, static_cast<unsigned>(date.month()), 2);
    second_text_ += '-';
    AppendPadded(second_text_, static_cast<unsigned>(date.day()), 2);
    second_text_ += 'T';
    AppendPadded(second_text_, static_cast<std::uint64_t>(clock.hours().count()), 2);
    second_text_ += ':';
    AppendPadded(second_text_, static_cast<std::uint64_t>(clock.minutes().count()), 2);
    second_text_ += ':';
    AppendPadded(second_text_, static_cast<std::uint64_t>(clock.seconds().count()), 2);
    second_text_ += '.';
  }
  text += second_text_;
  AppendPadded(text, static_cast<std::uint64_t>(time_ns - second * kSecond), 9);
  text += 'Z';
}

Digest LineWriter::Append(std::string& text, std::uint64_t seq, std::int64_t time_ns,
                          std::string_view body, const Digest& prev) {
  const std::size_t start = text.size();
  text += kSeq;
  AppendNumber(text, seq);
  text += kTime;
  AppendTime(text, time_ns);
  text += '"';
  text += body;
  text += kPrev;
  AppendHex(text, prev);
  text += '"';
  const Digest hash = mac_.Of(std::string_view(text).substr(start));
  text += kHash;
  AppendHex(text, hash);
  text += kEnd;
  text += '\n';
  return hash;
}

std::optional<Frame> ReadFrame(std::string_view line) {
  Frame frame;
  if (!line.ends_with(kEnd)) return std::nullopt;
  line.remove_suffix(kEnd.size());
  const auto hash = TakeLastDigest(line, kHash);
  if (!hash) return std::nullopt;
  frame.hash = *hash;
  frame.covered = line;
  if (!line.ends_with('"')) return std::nullopt;
  line.remove_suffix(1);
  const auto prev = TakeLastDigest(line, kPrev);
  if (!prev) return std::nullopt;
  frame.prev = *prev;
  if (!Take(line, kSeq)) return std::nullopt;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), frame.seq);
  if (error != std::errc() || frame.seq == 0) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!Take(line, kTime) || line.size() < kTimeSize) return std::nullopt;
  line.remove_prefix(kTimeSize);
  if (!Take(line, kEvent)) return std::nullopt;
  frame.event = line.substr(0, line.find('"'));
  return frame;
}

bool IsAuthentic(const Frame& frame, HmacSha256& mac) {
  return SameDigest(mac.Of(frame.covered), frame.hash);
}

}  // namespace cordon::audit
