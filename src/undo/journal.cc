#include "undo/journal.h"

#include <chrono>
#include <utility>

#include "base/try.h"
#include "confine/aside.h"
#include "platform/file_lock.h"
#include "platform/private_file.h"
#include "undo/snapshot.h"

namespace cordon::undo {
namespace {

using platform::PrivateAccess;

constexpr const char* kObjects = "objects";
constexpr const char* kUndoLock = "undo.lock";

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// What is about the request and not about the journal stays what it is.
Error Explain(Error error) {
  if (error.code == ErrorCode::kStaleFile || error.security_violation() || error.rule == "undo") {
    return error;
  }
  Error failure = JournalError("the undo journal cannot be written (" + error.detail +
                               "), so the operation was refused");
  failure.os_errno = error.os_errno;
  return failure;
}

Node FileOf(std::string_view bytes) {
  Node node;
  node.type = NodeType::kFile;
  node.size = bytes.size();
  node.content = Sha256(bytes);
  return node;
}

// The content that an append will make, as far as it is known.
Node Appended(const Node& before, std::string_view old, std::string_view added) {
  Node node = before;
  node.type = NodeType::kFile;
  node.modified_ns = 0;
  if (!before.lost.empty()) return node;
  Sha256Stream stream;
  stream.Add(old);
  stream.Add(added);
  node.content = stream.Finish();
  node.size = old.size() + added.size();
  return node;
}

}  // namespace

Result<std::shared_ptr<Journal>> Journal::Open(const std::string& directory, const Limits& limits,
                                               confine::AmbientAuthority /*authority*/) {
  TRY_ASSIGN(platform::UniqueFd opened,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kMake));
  TRY_ASSIGN(Objects objects, Objects::Open(opened.get(), kObjects));
  TRY_ASSIGN(std::unique_ptr<JournalFile> file, JournalFile::Open(opened.get()));
  return std::shared_ptr<Journal>(
      new Journal(std::move(opened), std::move(objects), std::move(file), limits));
}

Result<Change> Journal::KeepChange(const Intent& intent, std::uint64_t& added) const {
  Change change;
  change.group = intent.group;
  change.kind = intent.kind;
  change.path = intent.at.path;
  change.to = intent.to.path;
  change.made = intent.made;
  change.temporary = confine::TemporaryName();
  Snapshot snapshot(objects_, limits_);
  switch (intent.kind) {
    case Kind::kWrite: {
      TRY_ASSIGN(change.before, snapshot.KeepOne(*intent.at.probed));
      change.after = FileOf(intent.bytes);
      // So that it can be told apart later from what a person made of it.
      if (intent.bytes.size() <= limits_.file) {
        TRY(snapshot.Keep(*change.after.content, intent.bytes));
      }
      break;
    }
    case Kind::kAppend: {
      // The file itself holds the old content: it is what comes before the new.
      std::string old;
      TRY_ASSIGN(change.before, undo::Describe(*intent.at.probed, limits_, &old));
      change.after = Appended(change.before, old, intent.bytes);
      change.added = Sha256(intent.bytes);
      TRY(snapshot.Keep(*change.added, intent.bytes));
      break;
    }
    case Kind::kMakeDirectory: change.after.type = NodeType::kDirectory; break;
    case Kind::kMakeLink:
      change.after.type = NodeType::kLink;
      change.after.text = intent.bytes;
      break;
    case Kind::kRemove: {
      TRY_ASSIGN(change.before, snapshot.KeepAll(*intent.at.root, *intent.at.probed));
      break;
    }
    case Kind::kRename: {
      TRY_ASSIGN(change.before, undo::Describe(*intent.at.probed, limits_));
      TRY_ASSIGN(change.before_to, snapshot.KeepOne(*intent.to.probed));
      break;
    }
  }
  added = snapshot.added();
  return change;
}

Result<Kept> Journal::Begin(const Intent& intent) {
  auto turn = file_->Take();
  if (!turn) return Explain(std::move(turn.error()));
  if (turn->total() > limits_.total) {
    if (Status collected = Collect(*turn); !collected) return Explain(std::move(collected.error()));
  }
  std::uint64_t added = 0;
  auto change = KeepChange(intent, added);
  turn->AddKept(added);
  if (!change) return Explain(std::move(change.error()));
  Entry entry;
  entry.event = Event::kBegin;
  entry.id = turn->NextId();
  entry.origin = {NowNs(), std::string(intent.session), std::string(intent.actor),
                  std::string(intent.tool), std::string(intent.workspace)};
  entry.change = std::move(*change);
  const Kept kept{entry.id, entry.change.before, entry.change.before_to, entry.change.temporary};
  if (Status written = turn->Append(std::move(entry)); !written) {
    return Explain(std::move(written.error()));
  }
  return kept;
}

Status Journal::End(const Kept& kept, Outcome outcome, std::optional<std::uint32_t> mode) {
  if (kept.id == 0) return {};
  Entry entry;
  entry.event = Event::kEnd;
  entry.id = kept.id;
  entry.change.ending = outcome == Outcome::kDone ? Change::Ending::kDone : Change::Ending::kFailed;
  entry.change.after.mode = mode;
  auto turn = file_->Take();
  if (!turn) return Explain(std::move(turn.error()));
  if (Status written = turn->Append(std::move(entry)); !written) {
    return Explain(std::move(written.error()));
  }
  return {};
}

Result<Node> Journal::Describe(const confine::Probed& probed) const {
  return undo::Describe(probed, limits_);
}

Result<History> Journal::Read() const {
  TRY_ASSIGN(const std::string text, file_->ReadAll());
  return ReadHistory(text);
}

Result<std::string> Journal::Content(const Digest& digest) const { return objects_.Get(digest); }

Result<std::vector<TreeNode>> Journal::Tree(const Node& tree) const {
  if (!tree.content) return JournalError("this tree was not kept");
  TRY_ASSIGN(const std::string text, objects_.Get(*tree.content));
  std::optional<std::vector<TreeNode>> parsed = ParseTree(text);
  if (!parsed) return JournalError("a kept tree cannot be read");
  return std::move(*parsed);
}

Result<confine::FileTerms> Journal::Terms(const Node& file) const {
  confine::FileTerms terms;
  terms.mode = file.mode.value_or(0600);
  terms.modified_ns = file.modified_ns;
  if (!file.attributes) return terms;
  TRY_ASSIGN(const std::string text, objects_.Get(*file.attributes));
  TRY_ASSIGN(terms.attributes, ParseAttributes(text));
  return terms;
}

struct Journal::Exclusive::State {
  platform::UniqueFd file;
  platform::FileLock lock;
};

Journal::Exclusive::Exclusive(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::Exclusive::Exclusive(Exclusive&&) noexcept = default;
Journal::Exclusive::~Exclusive() = default;

Result<Journal::Exclusive> Journal::TakeUndo() const {
  TRY_ASSIGN(platform::UniqueFd file,
             platform::OpenPrivateFile(directory_.get(), kUndoLock, PrivateAccess::kMakeIfMissing));
  TRY_ASSIGN(platform::FileLock lock,
             platform::FileLock::Take(file.get(), platform::FileLock::Kind::kExclusive));
  return Exclusive(
      std::make_unique<Exclusive::State>(Exclusive::State{std::move(file), std::move(lock)}));
}

Result<OperationId> Journal::BeginUndo(OperationId undoes, const Origin& origin) {
  TRY_ASSIGN(const JournalFile::Turn turn, file_->Take());
  Entry entry;
  entry.event = Event::kUndo;
  entry.id = turn.NextId();
  entry.origin = origin;
  entry.origin.time_ns = NowNs();
  entry.undoes = undoes;
  const OperationId id = entry.id;
  TRY(turn.Append(std::move(entry)));
  return id;
}

Status Journal::EndUndo(OperationId undo) {
  TRY_ASSIGN(const JournalFile::Turn turn, file_->Take());
  Entry entry;
  entry.event = Event::kUndone;
  entry.id = undo;
  return turn.Append(std::move(entry));
}

}  // namespace cordon::undo
