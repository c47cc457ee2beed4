// Sandboxes: added, found, changed, forgotten.
#include <algorithm>

#include "base/try.h"
#include "store/sandbox_row.h"
#include "store/sqlite_store.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

Result<Sandbox> ReadOne(Statement& statement) {
  TRY_ASSIGN(const Row row, statement.Step());
  if (row == Row::kNone) return NotFound();
  return ReadSandbox(statement);
}

Result<Sandbox> FindById(Connection& connection, const SandboxId& id) {
  Statement statement = connection.Prepare(SelectSandboxes("id = ?"));
  statement.Bind(id.text());
  return ReadOne(statement);
}

Error Stale(const Sandbox& now) {
  Error error;
  error.code = ErrorCode::kStaleFile;
  error.op = "store";
  error.detail = "the sandbox is ";
  error.detail.append(StateName(now.state)).append(" by now, or was changed meanwhile");
  return error;
}

Status Overwrite(Connection& connection, const Sandbox& sandbox) {
  Statement statement = connection.Prepare(
      "UPDATE sandboxes SET driver = ?, handle = ?, terms = ?, facts = ?, state = ?, reason = ?,"
      " message = ?, changed = ?, ready = ?, expires = ?, ended = ?, exit_status = ?, memory = ?,"
      " last_lines = ?, public_url = ?, revision = revision + 1 WHERE id = ?");
  statement.Bind(sandbox.driver).Bind(sandbox.handle).Bind(sandbox.terms).Bind(sandbox.facts);
  statement.Bind(StateName(sandbox.state)).Bind(sandbox.reason).Bind(sandbox.message);
  statement.Bind(sandbox.changed).Bind(sandbox.ready).Bind(sandbox.expires).Bind(sandbox.ended);
  std::optional<std::int64_t> exit_status;
  if (sandbox.exit_status) exit_status = *sandbox.exit_status;
  statement.Bind(exit_status).Bind(MemoryName(sandbox.memory)).Bind(sandbox.last_lines);
  return RunOnRow(statement.Bind(sandbox.public_url).Bind(sandbox.id.text()));
}

}  // namespace

Status SqliteStore::AddSandbox(const Sandbox& sandbox, std::size_t most) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Status {
    TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
    if (sandbox.pooled == Sandbox::Pooled::kNo) TRY(CheckCap(connection, sandbox.user, most));
    TRY(InsertSandbox(connection, sandbox));
    return transaction.Commit();
  });
}

Result<Sandbox> SqliteStore::FindSandbox(std::string_view user, const SandboxId& id) {
  return Reading([&](Connection& connection) {
    Statement statement = connection.Prepare(SelectSandboxes("id = ? AND user = ?"));
    statement.Bind(id.text()).Bind(user);
    return ReadOne(statement);
  });
}

Result<Sandbox> SqliteStore::FindAnySandbox(const SandboxId& id) {
  return Reading([&](Connection& connection) { return FindById(connection, id); });
}

Status SqliteStore::Change(const Sandbox& sandbox, const std::vector<SandboxState>& from) {
  const bool founds = sandbox.state == SandboxState::kReady && sandbox.conversation.has_value();
  const Durability durability = founds ? Durability::kPower : Durability::kKill;
  return Writing(durability, [&](Connection& connection) -> Status {
    TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
    TRY_ASSIGN(const Sandbox now, FindById(connection, sandbox.id));
    const bool expected = std::find(from.begin(), from.end(), now.state) != from.end();
    if (!expected || now.revision != sandbox.revision) return Stale(now);
    TRY(Overwrite(connection, sandbox));
    if (sandbox.state == SandboxState::kReady && now.conversation) {
      TRY(FoundConversation(connection, *now.conversation, sandbox.changed));
    }
    return transaction.Commit();
  });
}

// Activity never goes back: whoever comes late with an earlier time changes nothing.
Status SqliteStore::Touch(const SandboxId& id, Time active) {
  return Writing(Durability::kKill, [&](Connection& connection) {
    Statement statement =
        connection.Prepare("UPDATE sandboxes SET active = max(active, ?) WHERE id = ?");
    return RunOnRow(statement.Bind(active).Bind(id.text()));
  });
}

Status SqliteStore::Prune(Time ended_before) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Status {
    TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
    TRY(connection.Prepare("DELETE FROM sandboxes WHERE ended < ?").Bind(ended_before).Run());
    TRY(connection.Prepare("DELETE FROM conversations WHERE deleted < ?").Bind(ended_before).Run());
    return transaction.Commit();
  });
}

}  // namespace cordon::store
