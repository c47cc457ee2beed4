// Goes through a log from its oldest record to where its head says it ends, and
// stops at the first thing that is not as it was written.
#pragma once

#include <optional>
#include <string>

#include "audit/files.h"
#include "audit/line.h"
#include "audit/scan.h"
#include "audit/snapshot.h"
#include "audit/verify.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

class Walk {
 public:
  Walk(const LogFiles& files, LogSnapshot snapshot, HmacSha256 mac, VerifyOptions options);
  Result<Verification> Run();

 private:
  enum class Go { kOn, kStop };

  // Where a line stands.
  struct Place {
    std::size_t part = 0;
    std::size_t line = 0;
    std::uint64_t offset = 0, end = 0;
  };

  Result<Go> Start();
  Result<Go> StartAt(std::uint64_t first);
  Result<Go> WalkPart(std::size_t index);
  Result<Go> Judge(const ScannedLine& line, const Place& place);
  Go JudgeUnfinished(const Place& place);
  Result<Go> JudgeNoRecord(const Place& place);
  Result<Go> JudgeStranger(const Frame& frame, const Place& place);
  Go Accept(const Frame& frame, const Place& place);
  Go CheckAnchors(const Frame& frame, const Place& place);
  Go End();

  // What stands behind a line that is out of place.
  struct Ahead {
    bool expected = false;   // the record that belongs there
    bool rival = false;      // another record with the number of the one in its place
    bool elsewhere = false;  // the one in its place leads to another end than the head's
  };
  Result<Ahead> LookAhead(const Place& place, const Frame* frame);
  Result<bool> WasSeen(const Frame& frame, const Place& place);

  bool IsBeyond(const Place& place) const;
  bool HoldsMoreThanWritten(const LogPart& part) const;
  bool MayBeStale(const Place& place) const;
  Go LostWithThePower(const Place& place);
  Go Find(Damage damage, const Place& place, std::string detail);
  Go FindFile(Damage damage, const std::string& name, std::string detail);
  void Note(std::string text) { result_.notes.push_back(std::move(text)); }

  const LogFiles& files_;
  LogSnapshot snapshot_;
  HmacSha256 mac_;
  VerifyOptions options_;
  std::size_t next_anchor_ = 0;
  std::size_t first_part_ = 0;
  std::uint64_t seq_ = 0;  // of the last record that was accepted
  Digest hash_{};
  Verification result_;
};

}  // namespace cordon::audit
