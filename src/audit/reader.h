// Reading an audit log back, for people and for `cordon audit`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/names.h"
#include "confine/ambient_authority.h"
#include "cordon/result.h"

namespace cordon::audit {

// One line, read back. Paths are the bytes that were recorded.
struct Entry {
  std::uint64_t seq = 0;
  std::string time;  // RFC 3339, nanoseconds, UTC
  std::int64_t time_ns = 0;
  std::string event, phase, session, conversation, sandbox, actor, tool, operation;
  std::string asked, resolved, target;
  std::string decision, rule, tier, error, violation;
  std::string question, choice, channel;
  std::uint64_t begun = 0, lost = 0;
  std::int64_t duration_ns = 0;
  bool unprotected = false;
  std::string prev, hash;
};

// Errors: kInvalidArguments with what is wrong, for a line that is no record: no
//   JSON, a field missing, unknown or of the wrong type.
Result<Entry> ParseEntry(std::string_view line);

enum class ReadOn { kYes, kStop };

// Goes through the files of one log, oldest first. Reads what is there, vouches for
// nothing: that is verify's work.
class Reader {
 public:
  // Errors: kNotFound when there is no log.
  static Result<Reader> Open(const std::string& log_file, confine::AmbientAuthority authority);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  struct Line {
    std::string_view text;   // without the newline
    std::string_view file;   // by the name it had when it was opened
    std::size_t number = 0;  // in its file, from 1
  };
  // Every complete line from where the last call ended. Called again, it gives what
  // was added meanwhile, across rotations: this is how `tail -f` follows.
  Status ReadNew(const std::function<ReadOn(const Line&)>& line);

  // Moves to where at most `count` lines are left to read.
  Status SkipToLast(std::size_t count);

 private:
  struct State;
  explicit Reader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::audit
