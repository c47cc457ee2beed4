// What has to be done to take operations back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "guard/guard.h"
#include "tools/outcome.h"
#include "tools/undo_view.h"
#include "undo/journal.h"
#include "undo/operation.h"

namespace cordon::tools {

struct UndoStep {
  enum class Kind {
    kRemove,    // a file, a link, an empty directory
    kGiveBack,  // `node`, which is a file, a link or a directory
    kCut,       // a file to the size of `node`
    kMove,      // `path` to `to`
  };
  Kind kind = Kind::kRemove;
  std::string path;
  std::string to = {};
  undo::Node node = {};
  undo::Node expects = {};  // at `path`, before
};

// The steps for operations, from the newest back, each compared with what will be there
// when those before it have been undone.
class UndoPlan {
 public:
  // All must outlive it.
  UndoPlan(guard::Guard& guard, const guard::Call& call, const undo::Journal& journal)
      : guard_(guard), call_(call), journal_(journal), view_(guard, call) {}

  // None: nothing of the operation is there, so that nothing is to be done.
  // Failures: kStaleFile, with a diff, where what is there is not what the operation
  //   left; kUnsupported for what was not kept.
  Attempt<std::vector<UndoStep>> Add(const undo::Operation& operation);

 private:
  using Change = undo::Change;
  using Node = undo::Node;

  Attempt<bool> AddChange(const Change& change);  // whether anything is to be done
  Attempt<bool> AddWrite(const Change& change);
  Attempt<bool> AddAppend(const Change& change);
  Attempt<bool> AddMakeDirectory(const Change& change);
  Attempt<bool> AddMakeLink(const Change& change);
  Attempt<bool> AddRemove(const Change& change);
  Attempt<bool> AddRename(const Change& change);
  Attempt<bool> AddTreeBeside(const undo::Change& change);
  Attempt<bool> AddRestOfTree(const Change& change, const std::vector<undo::TreeNode>& tree);

  Status GiveBack(const std::string& path, const Node& node);
  void Remove(const std::string& path, const Node& expects);
  // What a killed process has left beside.
  Status AddRemains(const Change& change);
  Result<bool> IsRemains(const Change& change, const std::string& path, const Node& node);
  Result<bool> IsTornAppend(const Change& change, const Node& now);
  // The content of `node`, which is or will be at `path`.
  Result<std::string> ReadNow(const std::string& path, const Node& node);
  Failure Stale(const Change& change, const std::string& path, const Node& then, const Node& now);

  guard::Guard& guard_;
  const guard::Call& call_;
  const undo::Journal& journal_;
  UndoView view_;
  std::vector<UndoStep> steps_;
};

}  // namespace cordon::tools
