// What one line of the audit log says, before the log adds its number, the time
// and its place in the chain. docs/audit-format.md has the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cordon/error.h"
#include "cordon/operation.h"

namespace cordon::audit {

enum class Event {
  kFileRead,           // "file.read": content was handed out
  kFileWrite,          // "file.write": content was replaced, extended or made
  kFileDelete,         // "file.delete"
  kFileRename,         // "file.rename"
  kFileList,           // "file.list": names were told
  kFileStat,           // "file.stat": facts about one file were told
  kDirectoryCreate,    // "directory.create"
  kLinkCreate,         // "link.create"
  kCommandExec,        // "command.exec"
  kNetworkConnect,     // "network.connect": a command asked for a connection
  kConsentAsked,       // "consent.asked"
  kConsentDecided,     // "consent.decided"
  kSandboxViolation,   // "sandbox.violation": a request tried to cross the line
  kSandboxCreated,     // "sandbox.created"
  kSandboxEnded,       // "sandbox.ended": for the reason that is its rule
  kSandboxDisabled,    // "sandbox.disabled": a session runs without protection
  kPreviewVisibility,  // "preview.visibility": who may see a preview was changed
  kPreviewLink,        // "preview.link": a signed link to one was handed out
  kSessionStarted,     // "session.started"
  kSessionEnded,       // "session.ended"
  kLogOpened,          // "log.opened": the first record of a log
  kLogRotated,         // "log.rotated": the first record of each later file
  kLogGap,             // "log.gap": records were lost while the log could not be written
};
std::string_view EventName(Event event);
std::optional<Event> ParseEvent(std::string_view name);

enum class Decision { kNone, kAllowed, kAsked, kDenied };  // kNone: the field is left out
std::string_view DecisionName(Decision decision);          // "allowed", ...

// An operation with an effect has two records, so that a crash between them shows
// what was under way. One that only tells something has one: until the answer is
// handed out, nothing has happened.
enum class Phase { kWhole, kBegin, kEnd };

// What enforced the decision.
enum class Tier { kNone, kPolicy, kConfine, kKernel, kPerson };
std::string_view TierName(Tier tier);

enum class Protection { kOn, kOff };

// Views must live during Append only. Empty text, and whatever is unset, is left out.
struct Record {
  Event event = Event::kFileRead;
  Phase phase = Phase::kWhole;
  std::uint64_t begun = 0;  // of an end: the number of the record that began it

  std::string_view session;
  std::string_view conversation;
  std::string_view sandbox;
  std::string_view actor;
  std::string_view tool;
  std::optional<Operation> operation;

  std::string_view asked;     // the path as it was asked for; any bytes
  std::string_view resolved;  // the absolute path it really has, as far as known; any bytes
  // Of a rename the new path as asked for, of a command its words, of a violation by a
  // command the program, of a connection host and port, of a preview who may see it now, or
  // what a link opens and how long; any bytes.
  std::string_view target;

  Decision decision = Decision::kNone;
  std::string_view rule;
  Tier tier = Tier::kNone;

  // Of what was tried: the error it ended with, if it did.
  std::optional<ErrorCode> error;
  Violation violation = Violation::kNone;

  std::string_view question;  // id, of consent.*
  std::string_view choice;    // of consent.decided: "once", "directory", "tool", "deny"
  std::string_view channel;   // of consent.*: "tty", "socket", ...
  std::uint64_t lost = 0;     // of log.gap: how many records

  std::int64_t duration_ns = 0;
  Protection protection = Protection::kOn;
};

}  // namespace cordon::audit
