// What the handlers of all routes have in common.
#pragma once

#include <functional>
#include <memory>

#include "audit/recorder.h"
#include "provision/sandboxes.h"
#include "serve/accounts.h"
#include "store/store.h"

namespace cordon::preview {
class Previews;
}

namespace cordon::serve {

class ApprovalBoard;
class ChainCheck;
class McpEndpoints;
class Sessions;
class Slots;
class Terminals;
class Workplaces;
struct Counters;

struct Context {
  std::shared_ptr<store::Store> store;
  std::shared_ptr<provision::Sandboxes> sandboxes;
  std::shared_ptr<audit::Recorder> recorder;
  std::shared_ptr<TokenCheck> tokens;
  std::shared_ptr<Sessions> sessions;
  std::shared_ptr<ApprovalBoard> approvals;
  std::shared_ptr<Workplaces> workplaces;
  std::shared_ptr<ChainCheck> chain;
  std::shared_ptr<McpEndpoints> mcp;
  std::shared_ptr<Slots> streams;
  std::shared_ptr<Terminals> terminals;
  std::shared_ptr<Counters> counters;
  std::shared_ptr<preview::Previews> previews;  // null: none are shown
  std::string log_file;                         // of the audit log
  std::function<store::Time()> now;
};

}  // namespace cordon::serve
