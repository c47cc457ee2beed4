// What the guard tells before and after it changes something.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "cordon/result.h"
#include "undo/node.h"
#include "undo/operation.h"

namespace cordon::undo {

class Journal;

// One end of a change: where it will happen, and what Probe found there.
struct Spot {
  const confine::Root* root = nullptr;
  const confine::Probed* probed = nullptr;
  std::string path;  // real and absolute
};

// An effect that is about to happen. Views must outlive the call.
struct Intent {
  Kind kind = Kind::kWrite;
  std::string_view session, actor, tool, workspace;
  OperationId group = 0;  // part of that undo
  Spot at;
  Spot to;                        // of a rename
  std::vector<std::string> made;  // of a mkdir: what will be made, outermost first
  std::string_view bytes;         // new content, what is appended, or a link's text
};

// The changes that one call of a tool makes: they are one operation.
struct Together {
  std::atomic<OperationId> first = 0;
};

// For a call that is a step of an undo.
struct Undoing {
  OperationId undo = 0;
  std::optional<Node> expects;  // must be there, or nothing is changed: kStaleFile
};

// What was kept.
struct Kept {
  OperationId id = 0;     // 0: nothing was recorded, and need not be
  Node before;            // at `at`
  Node before_to;         // at `to`
  std::string temporary;  // what to call things that lie beside meanwhile
};

enum class Outcome { kDone, kFailed };

// Thread safety: every method may run concurrently.
class Keeper {
 public:
  virtual ~Keeper() = default;

  // Keeps what the effect would take away. When it returns, killing any process loses
  // nothing of it. An error means that the effect must not happen.
  // Errors: kIoError, rule "undo"; kStaleFile, rule "expected", when what was probed has
  //   changed meanwhile; kPathDenied for a tree of which a part may not be removed.
  virtual Result<Kept> Begin(const Intent& intent) = 0;

  // How it ended. `mode`: of the file that is there now, where known.
  virtual Status End(const Kept& kept, Outcome outcome, std::optional<std::uint32_t> mode) = 0;

  // What is at the place, kept nowhere.
  virtual Result<Node> Describe(const confine::Probed& probed) const = 0;

  virtual Journal& journal() = 0;
};

}  // namespace cordon::undo
