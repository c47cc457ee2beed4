#include "audit/walk.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "audit/record.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

std::string Number(std::uint64_t seq) { return "record " + std::to_string(seq); }

// Each file begins with a record that says so, and no other record says it.
bool IsInItsFile(std::string_view event, std::uint64_t generation, std::size_t line) {
  const std::string_view first =
      EventName(generation == 1 ? Event::kLogOpened : Event::kLogRotated);
  if (line == 1) return event == first;
  return event != EventName(Event::kLogOpened) && event != EventName(Event::kLogRotated);
}

}  // namespace

Walk::Walk(const LogFiles& files, LogSnapshot snapshot, HmacSha256 mac, VerifyOptions options)
    : files_(files),
      snapshot_(std::move(snapshot)),
      mac_(std::move(mac)),
      options_(std::move(options)) {
  std::sort(options_.anchors.begin(), options_.anchors.end(),
            [](const Anchor& a, const Anchor& b) { return a.seq < b.seq; });
}

Walk::Go Walk::Find(Damage damage, const Place& place, std::string detail) {
  result_.damage =
      Finding{damage, snapshot_.parts[place.part].name, place.line, seq_ + 1, std::move(detail)};
  return Go::kStop;
}

Walk::Go Walk::FindFile(Damage damage, const std::string& name, std::string detail) {
  result_.damage = Finding{damage, name, 0, seq_ + 1, std::move(detail)};
  return Go::kStop;
}

bool Walk::IsBeyond(const Place& place) const {
  const HeadState& bound = snapshot_.binding;
  return std::tuple(snapshot_.parts[place.part].generation, place.offset) >=
         std::tuple(bound.generation, bound.offset);
}

Result<Verification> Walk::Run() {
  TRY_ASSIGN(Go go, Start());
  for (std::size_t i = first_part_; go == Go::kOn && i < snapshot_.parts.size(); ++i) {
    TRY_ASSIGN(go, WalkPart(i));
  }
  if (!result_.damage) End();
  result_.last = seq_;
  result_.head = hash_;
  return std::move(result_);
}

Result<Walk::Go> Walk::Start() {
  seq_ = 0;
  hash_ = snapshot_.binding.log_id;
  if (!snapshot_.unknown.empty()) {
    return FindFile(Damage::kAdded, snapshot_.unknown.front(),
                    "by its head, the log never had such a file");
  }
  if (options_.first > 1) return StartAt(options_.first);
  const LogPart& oldest = snapshot_.parts.front();
  if (oldest.generation == 1) return Go::kOn;
  return FindFile(
      Damage::kRemoved, files_.NameOf(1),
      "the file is missing, and with it the oldest records; the oldest that is there is " +
          oldest.name);
}

// The newest file that begins at or before `first`. Its own first record is taken at
// its word: that it belongs to this log follows from the chain up to the head.
Result<Walk::Go> Walk::StartAt(std::uint64_t first) {
  for (std::size_t i = snapshot_.parts.size(); i-- > 0;) {
    LogPart& part = snapshot_.parts[i];
    TRY(OpenPart(files_, part));
    first_part_ = i;
    if (!part.file.valid()) continue;
    LineScanner lines(part.bytes(), 0, part.size);
    TRY_ASSIGN(const auto line, lines.Next());
    if (!line) continue;
    const auto frame = ReadFrame(line->text);
    const bool authentic = frame && IsAuthentic(*frame, mac_);
    if (authentic && frame->seq > first) continue;
    if (part.generation > 1 && authentic) {
      seq_ = frame->seq - 1;
      hash_ = frame->prev;
    } else if (part.generation > 1) {
      seq_ = first - 1;
    }
    return Go::kOn;
  }
  seq_ = first - 1;
  return FindFile(Damage::kRemoved, snapshot_.parts.front().name,
                  Number(first) + " is in none of the files that are there");
}

// Only a killed writer leaves them; behind the end of all records they are found as they
// are met.
bool Walk::HoldsMoreThanWritten(const LogPart& part) const {
  return !snapshot_.loose && !part.staged.bytes.empty() && part.file_size > part.staged.from;
}

// Whether a line is of a stage that, after a loss of power, may be older than the head.
bool Walk::MayBeStale(const Place& place) const {
  return snapshot_.power_lost && place.end > snapshot_.parts[place.part].file_size;
}

Walk::Go Walk::LostWithThePower(const Place& place) {
  Note(snapshot_.parts[place.part].name + ": what stands after " + Number(seq_) +
       " was lost with the power");
  return Go::kStop;
}

Result<Walk::Go> Walk::WalkPart(std::size_t index) {
  LogPart& part = snapshot_.parts[index];
  TRY(OpenPart(files_, part));
  if (!part.file.valid()) {
    const bool newest = index + 1 == snapshot_.parts.size();
    // Between the two renames of a rotation there is none, nor is there before the first.
    const HeadState& bound = snapshot_.binding;
    if (newest && snapshot_.loose && (part.generation > bound.generation || bound.seq == 0)) {
      return Go::kOn;
    }
    return FindFile(
        newest ? Damage::kTruncated : Damage::kRemoved, part.name,
        "the file is missing, and with it the records from " + std::to_string(seq_ + 1) + " on");
  }
  if (HoldsMoreThanWritten(part)) {
    return FindFile(Damage::kAdded, part.name,
                    "bytes stand in the file that the head says are still to be put there");
  }
  LineScanner lines(part.bytes(), 0, part.size);
  Place place{index, 0, 0, 0};
  Go go = Go::kOn;
  while (go == Go::kOn) {
    TRY_ASSIGN(const auto line, lines.Next());
    if (!line) break;
    ++place.line;
    place.offset = line->offset;
    place.end = line->offset + line->text.size() + 1;
    TRY_ASSIGN(go, Judge(*line, place));
  }
  return go;
}

Result<Walk::Go> Walk::Judge(const ScannedLine& line, const Place& place) {
  if (line.ending == LineEnding::kEndOfFile) return JudgeUnfinished(place);
  const auto frame = ReadFrame(line.text);
  if (line.ending == LineEnding::kTooLong || !frame || !IsAuthentic(*frame, mac_)) {
    return JudgeNoRecord(place);
  }
  if (frame->seq == seq_ + 1 && frame->prev == hash_) return Accept(*frame, place);
  return JudgeStranger(*frame, place);
}

Walk::Go Walk::JudgeUnfinished(const Place& place) {
  const LogPart& part = snapshot_.parts[place.part];
  if (IsBeyond(place)) {
    if (!snapshot_.loose) {
      return Find(Damage::kAdded, place, "bytes stand after the last record that was written");
    }
    Note(part.name +
         ": the last line is unfinished; its writer was killed before it was acknowledged");
    return Go::kStop;
  }
  const bool newest = part.generation == snapshot_.binding.generation;
  if (newest && part.size < snapshot_.binding.offset) {
    return Find(Damage::kTruncated, place,
                Number(seq_ + 1) + " is cut off, and the log ends there");
  }
  return Find(Damage::kChanged, place, Number(seq_ + 1) + " has no end");
}

Result<Walk::Go> Walk::JudgeNoRecord(const Place& place) {
  if (IsBeyond(place)) {
    if (!snapshot_.power_lost) {
      return Find(Damage::kAdded, place, "a line stands after the last record that was written");
    }
    return LostWithThePower(place);
  }
  TRY_ASSIGN(const Ahead ahead, LookAhead(place, nullptr));
  if (ahead.expected) {
    return Find(Damage::kAdded, place,
                "a line that was never written stands before " + Number(seq_ + 1));
  }
  return Find(Damage::kChanged, place, Number(seq_ + 1) + " is not what was written");
}

// A record with a right hash that does not continue the chain.
Result<Walk::Go> Walk::JudgeStranger(const Frame& frame, const Place& place) {
  const std::string found = Number(frame.seq);
  const std::string expected = Number(seq_ + 1);
  if (IsBeyond(place)) {
    if (MayBeStale(place)) return LostWithThePower(place);
    return Find(Damage::kAdded, place, found + " stands after the last record that was written");
  }
  if (frame.seq == seq_ + 1) {
    return Find(Damage::kForeign, place,
                found + " is of another log: it does not follow the one before");
  }
  if (frame.seq <= seq_) {
    TRY_ASSIGN(const bool seen, WasSeen(frame, place));
    if (seen)
      return Find(Damage::kReordered, place,
                  found + " stands again where " + expected + " belongs");
    return Find(Damage::kForeign, place,
                found + " of another log stands where " + expected + " belongs");
  }
  TRY_ASSIGN(const Ahead ahead, LookAhead(place, &frame));
  if (ahead.rival || (ahead.elsewhere && !ahead.expected)) {
    return Find(Damage::kForeign, place,
                found + " of another log stands where " + expected + " belongs");
  }
  if (ahead.expected) {
    return Find(Damage::kReordered, place,
                found + " stands where " + expected + " belongs, which comes later");
  }
  const std::string missing = frame.seq == seq_ + 2
                                  ? expected + " is missing"
                                  : "the records " + std::to_string(seq_ + 1) + " to " +
                                        std::to_string(frame.seq - 1) + " are missing";
  return Find(Damage::kRemoved, place, missing + " before " + found);
}

Walk::Go Walk::Accept(const Frame& frame, const Place& place) {
  const HeadState& bound = snapshot_.binding;
  const LogPart& part = snapshot_.parts[place.part];
  if (IsBeyond(place) && !snapshot_.loose) {
    return Find(Damage::kAdded, place,
                Number(frame.seq) + " stands after the end that the head tells");
  }
  if (!IsInItsFile(frame.event, part.generation, place.line)) {
    return Find(Damage::kReordered, place,
                Number(frame.seq) + " was moved from one file to another");
  }
  if (frame.seq == bound.seq && frame.hash != bound.hash) {
    return Find(Damage::kForeign, place,
                Number(frame.seq) + " is not the last record that the head tells");
  }
  if (CheckAnchors(frame, place) == Go::kStop) return Go::kStop;
  if (result_.records++ == 0) result_.first = frame.seq;
  seq_ = frame.seq;
  hash_ = frame.hash;
  return Go::kOn;
}

Walk::Go Walk::CheckAnchors(const Frame& frame, const Place& place) {
  const auto& anchors = options_.anchors;
  for (; next_anchor_ < anchors.size() && anchors[next_anchor_].seq <= frame.seq; ++next_anchor_) {
    const Anchor& anchor = anchors[next_anchor_];
    if (anchor.seq < frame.seq) {
      Note("the anchor of " + Number(anchor.seq) + " is older than what was looked at");
    } else if (!SameDigest(anchor.hash, frame.hash)) {
      return Find(Damage::kForeign, place,
                  Number(frame.seq) +
                      " is not the one that the anchor tells: the log is another, or "
                      "was put back to an earlier state and went on from there");
    }
  }
  return Go::kOn;
}

Walk::Go Walk::End() {
  const HeadState& bound = snapshot_.binding;
  const std::string& newest = snapshot_.parts.back().name;
  if (seq_ < bound.seq) {
    return FindFile(Damage::kTruncated, newest,
                    "the log ends after " + Number(seq_) + ", but the head tells of " +
                        std::to_string(bound.seq));
  }
  if (next_anchor_ < options_.anchors.size()) {
    return FindFile(Damage::kTruncated, newest,
                    "the log ends after " + Number(seq_) + ", but an anchor tells of " +
                        std::to_string(options_.anchors[next_anchor_].seq));
  }
  if (snapshot_.head.under_way != UnderWay::kNothing) {
    Note("a writer was killed at work; the next one puts right what it left");
  }
  if (snapshot_.power_lost && snapshot_.head.current.seq > seq_) {
    Note(std::to_string(snapshot_.head.current.seq - seq_) +
         " records after the last flush were lost with the power");
  }
  return Go::kOn;
}

}  // namespace cordon::audit
