#include "tools/undo_engine.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/reversed.h"
#include "base/try.h"
#include "tools/undo_plan.h"
#include "tools/undo_report.h"
#include "undo/journal.h"

namespace cordon::tools {
namespace {

using guard::Call;
using policy::ToolKind;
using undo::NodeType;
using undo::Operation;

constexpr std::size_t kMostOperations = 10'000;

struct Planned {
  const Operation* operation;
  std::vector<UndoStep> steps;
};

// What is only tidied up, the user never asked for.
bool IsTold(const Planned& planned) {
  return !planned.steps.empty() && (planned.operation->undoes == 0 || planned.operation->complete);
}

Error UndoError(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "undo";
  error.rule = "undo";
  error.detail = std::move(detail);
  return error;
}

// An undo that was interrupted has to be taken back before anything older is.
bool IsUnfinished(const Operation& operation) {
  return operation.undoes != 0 && !operation.complete && operation.undone_by == 0;
}

bool Concerns(const Operation& operation, const std::string& path) {
  return std::ranges::any_of(operation.changes, [&](const undo::Change& change) {
    return change.path == path || change.to == path;
  });
}

bool IsWanted(const Operation& operation, const UndoRequest& request) {
  if (request.operation) return operation.id == *request.operation;
  if (operation.undoes != 0 || operation.undone_by != 0) return false;
  if (request.path && !Concerns(operation, *request.path)) return false;
  return !request.session || operation.origin.session == *request.session;
}

class Engine {
 public:
  Engine(guard::Guard& guard, const Call& call, undo::Journal& journal)
      : guard_(guard), call_(call), looking_(call), journal_(journal) {
    looking_.kind = ToolKind::kRead;
  }

  Attempt<std::vector<Planned>> Plan(const undo::History& history, const UndoRequest& request) {
    if (request.operation) TRY(CheckOperation(history, *request.operation));
    const std::string& workspace = guard_.boundary().workspace().real_path();
    UndoPlan plan(guard_, looking_, journal_);
    std::vector<Planned> planned;
    std::uint64_t counted = 0;
    for (const Operation& operation : Reversed(history.operations)) {
      if (request.steps && counted >= *request.steps) break;
      if (request.operation && counted > 0) break;
      if (operation.origin.workspace != workspace) continue;
      const bool wanted = IsWanted(operation, request);
      if (!wanted && !IsUnfinished(operation)) continue;
      TRY_ASSIGN(std::vector<UndoStep> steps, plan.Add(operation));
      // One of which nothing is there is marked all the same: once what is older has
      // been undone, it could not be told any more.
      if (wanted && !steps.empty()) ++counted;
      planned.push_back({&operation, std::move(steps)});
      if (planned.size() > kMostOperations) {
        return UndoError(ErrorCode::kLimitExceeded, "more than " + std::to_string(kMostOperations) +
                                                        " operations are too many for one undo");
      }
    }
    if (counted == 0) {
      return UndoError(ErrorCode::kNotFound, "nothing to undo; history shows what was done");
    }
    return planned;
  }

  Attempt<std::vector<Operation>> Run(const std::vector<Planned>& planned) {
    std::vector<Operation> undone;
    for (const Planned& one : planned) {
      if (Status done = RunOne(one); !done) return Stopped(std::move(done.error()), one, undone);
      if (IsTold(one)) undone.push_back(*one.operation);
    }
    return undone;
  }

 private:
  static Status CheckOperation(const undo::History& history, undo::OperationId id) {
    const Operation* const found = Find(history, id);
    if (found == nullptr) {
      return UndoError(ErrorCode::kNotFound,
                       "there is no operation " + std::to_string(id) + " in the journal");
    }
    if (found->undone_by == 0) return {};
    return UndoError(ErrorCode::kInvalidArguments, "operation " + std::to_string(id) +
                                                       " was undone already, by operation " +
                                                       std::to_string(found->undone_by));
  }

  Status RunOne(const Planned& one) {
    undo::Origin origin;
    origin.session = guard_.session().id;
    origin.actor = guard_.session().actor;
    origin.tool = call_.tool;
    origin.workspace = guard_.boundary().workspace().real_path();
    TRY_ASSIGN(const undo::OperationId undo, journal_.BeginUndo(one.operation->id, origin));
    for (const UndoStep& step : one.steps) TRY(RunStep(undo, step));
    return journal_.EndUndo(undo);
  }

  Status RunStep(undo::OperationId undo, const UndoStep& step) {
    const undo::Undoing undoing{undo, step.expects};
    Call call = call_;
    call.together.reset();
    call.undoing = &undoing;
    switch (step.kind) {
      case UndoStep::Kind::kRemove:
        call.kind = ToolKind::kDelete;
        return guard_.Remove(call, step.path);
      case UndoStep::Kind::kMove: {
        guard::RenameOptions options;
        options.existing = guard::RenameOptions::Existing::kRefuse;
        return guard_.Rename(call, step.path, step.to, options);
      }
      case UndoStep::Kind::kCut: return Cut(call, step);
      case UndoStep::Kind::kGiveBack: break;
    }
    switch (step.node.type) {
      case NodeType::kDirectory: return guard_.Mkdir(call, step.path, step.node.mode);
      case NodeType::kLink: return guard_.Symlink(call, step.node.text, step.path);
      case NodeType::kFile: break;
      default: return UndoError(ErrorCode::kUnsupported, "this cannot be given back");
    }
    TRY_ASSIGN(const std::string bytes, journal_.Content(*step.node.content));
    TRY_ASSIGN(guard::WriteOptions options, OptionsFor(step));
    return guard_.Write(call, step.path, bytes, options);
  }

  Result<guard::WriteOptions> OptionsFor(const UndoStep& step) {
    guard::WriteOptions options;
    TRY_ASSIGN(options.terms, journal_.Terms(step.node));
    if (step.expects.exists()) {
      options.based_on = step.expects.content;
    } else {
      options.existing = guard::WriteOptions::Existing::kRefuse;
    }
    return options;
  }

  // The file itself has its old content, before the new.
  Status Cut(const Call& call, const UndoStep& step) {
    TRY_ASSIGN(confine::File file, guard_.OpenRead(looking_, step.path));
    TRY_ASSIGN(std::string bytes, file.ReadAll(kMostCompared));
    if (bytes.size() < step.node.size) {
      return UndoError(ErrorCode::kStaleFile, "the file is shorter than it was");
    }
    bytes.resize(static_cast<std::size_t>(step.node.size));
    if (!step.node.content || !SameDigest(Sha256(bytes), *step.node.content)) {
      return UndoError(ErrorCode::kStaleFile, "the beginning of the file is not what it was");
    }
    TRY_ASSIGN(const guard::WriteOptions options, OptionsFor(step));
    return guard_.Write(call, step.path, bytes, options);
  }

  Failure Stopped(Error error, const Planned& at, const std::vector<Operation>& undone) const {
    Failure failure(std::move(error));
    boost::json::array done;
    for (const Operation& operation : undone) done.emplace_back(operation.id);
    failure.data["undone"] = std::move(done);
    failure.data["operation"] = at.operation->id;
    if (!at.operation->changes.empty()) {
      failure.requested = ShownPath(guard_, at.operation->changes.front().path);
    }
    return failure;
  }

  guard::Guard& guard_;
  const Call& call_;
  Call looking_;  // comparing changes nothing, and is not asked about as if it did
  undo::Journal& journal_;
};

}  // namespace

Attempt<std::vector<Operation>> Undo(guard::Guard& guard, const Call& call,
                                     const UndoRequest& request) {
  undo::Journal* const journal = guard.journal();
  if (journal == nullptr) {
    return UndoError(ErrorCode::kUnsupported, "there is no undo journal: it is switched off");
  }
  TRY_ASSIGN(const undo::Journal::Exclusive alone, journal->TakeUndo());
  TRY_ASSIGN(const undo::History history, journal->Read());
  Engine engine(guard, call, *journal);
  TRY_ASSIGN(const std::vector<Planned> planned, engine.Plan(history, request));
  if (request.mode == UndoRequest::Mode::kDo) return engine.Run(planned);
  std::vector<Operation> would;
  for (const Planned& one : planned) {
    if (IsTold(one)) would.push_back(*one.operation);
  }
  return would;
}

}  // namespace cordon::tools
