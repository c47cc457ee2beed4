// What the server remembers. Plain values; times are milliseconds since 1970, UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox_id.h"

namespace cordon::store {

using Time = std::int64_t;

struct User {
  std::string id;  // "usr_…"
  std::string name;
  Time created = 0;
};

// A token is known by its hash alone.
struct Token {
  std::string id;    // "tok_…"; of a browser's session "ses_…"
  std::string user;  // User::id
  std::string hash;  // SHA-256 of the token, lower-case hexadecimal
  std::string label;
  std::vector<std::string>
      scopes;  // "sandboxes:read", "sandboxes:write", "approvals", "audit", "admin"
  Time created = 0;
  std::optional<Time> expires = {}, revoked = {}, used = {};
};

// As 003 names them, and what lies between.
enum class SandboxState { kPending, kReady, kPaused, kTerminating, kTerminated, kFailed };
std::string_view StateName(SandboxState state);  // "pending", "ready", …
std::optional<SandboxState> ParseState(std::string_view text);
bool HasEnded(SandboxState state);  // terminated or failed: nothing of it exists any more

struct Sandbox {
  SandboxId id;
  std::string user = {};  // "" while it waits in the pool
  std::optional<std::string> conversation = {};
  std::string driver = {};
  std::string handle = {};  // the driver's name for it; "" until made
  std::string terms = {};   // what was asked for, as JSON
  std::string facts = {};   // what was made, as JSON; "" until ready
  SandboxState state = SandboxState::kPending;
  std::string reason = {};  // machine-readable: "user_delete", "idle", "max_lifetime", "evicted", …
  std::string message = {};  // for people
  Time created = 0, changed = 0, active = 0;
  std::optional<Time> ready = {}, expires = {}, ended = {};
  std::optional<int> exit_status = {};
  enum class Memory { kUnknown, kEnough, kRanOut } memory = Memory::kUnknown;
  std::string last_lines = {};             // of its log, once it has ended
  std::optional<std::uint16_t> port = {};  // reserved for its preview
  std::string public_url = {};
  enum class Visibility { kPrivate, kPublic } visibility = Visibility::kPrivate;  // of its preview
  enum class Pooled { kNo, kWaiting } pooled = Pooled::kNo;  // made ahead, nobody's yet
  std::int64_t revision = 0;  // the store's own: tells whether somebody changed it meanwhile
};

struct Conversation {
  std::string id;  // "cnv_…"
  std::string user;
  std::string title;
  std::optional<SandboxId> sandbox;  // the last it was given
  Time created = 0, changed = 0;
  // When it first had a sandbox that was ready. Unset: it is being made, nobody was told of it,
  // and it is forgotten if that fails.
  std::optional<Time> founded = {};
  std::optional<Time> deleted = {};
};

}  // namespace cordon::store
