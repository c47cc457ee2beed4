// Where Cordon keeps what it must remember, outside every workspace.
#pragma once

#include <optional>
#include <string>

#include "audit/log.h"
#include "cordon/result.h"

namespace cordon::api {

struct StatePlace {
  std::string directory;           // $XDG_STATE_HOME/cordon, else ~/.local/state/cordon
  std::string approval_directory;  // for sockets: $XDG_RUNTIME_DIR/cordon, else directory/run
  std::string undo_directory;      // directory/undo
  audit::LogPlace log;             // audit.jsonl and audit.key in `directory`
};

// All absolute; nothing is made or looked at. `audit_log` (--audit-log) is the log
// instead; its key stays in the state directory. A relative one is below the
// current directory.
// Errors: kInvalidArguments when neither variable tells a place.
Result<StatePlace> FindStatePlace(const std::optional<std::string>& audit_log);

}  // namespace cordon::api
