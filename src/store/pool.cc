// Sandboxes that were made ahead, given away.
#include "base/try.h"
#include "store/sandbox_row.h"
#include "store/sqlite_store.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

Result<Sandbox> OldestWaiting(Connection& connection, std::string_view driver,
                              std::string_view terms) {
  Statement statement = connection.Prepare(
      SelectSandboxes("state = 'ready' AND pooled = 1 AND driver = ? AND terms = ?"
                      " ORDER BY created, id LIMIT 1"));
  TRY_ASSIGN(const Row row, statement.Bind(driver).Bind(terms).Step());
  if (row == Row::kNone) return NotFound();
  return ReadSandbox(statement);
}

Status GiveTo(Connection& connection, Sandbox& sandbox, const Handover& handover) {
  sandbox.user = handover.user;
  sandbox.conversation = handover.conversation;
  sandbox.terms = handover.terms;
  sandbox.expires = handover.expires;
  sandbox.changed = sandbox.active = handover.now;
  sandbox.pooled = Sandbox::Pooled::kNo;
  ++sandbox.revision;
  Statement statement = connection.Prepare(
      "UPDATE sandboxes SET user = ?, conversation = ?, terms = ?, expires = ?, changed = ?,"
      " active = ?, pooled = 0, revision = ? WHERE id = ?");
  statement.Bind(sandbox.user).BindOrNull(sandbox.conversation).Bind(sandbox.terms);
  statement.Bind(sandbox.expires).Bind(sandbox.changed).Bind(sandbox.active);
  TRY(RunOnRow(statement.Bind(sandbox.revision).Bind(sandbox.id.text())));
  if (!sandbox.conversation) return {};
  TRY(GiveToConversation(connection, *sandbox.conversation, sandbox.user, sandbox.id,
                         handover.now));
  return FoundConversation(connection, *sandbox.conversation, handover.now);
}

}  // namespace

Result<Sandbox> SqliteStore::TakePooled(std::string_view driver, std::string_view terms,
                                        const Handover& handover) {
  const Durability durability = handover.conversation ? Durability::kPower : Durability::kKill;
  return Writing(durability, [&](Connection& connection) -> Result<Sandbox> {
    TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
    TRY_ASSIGN(Sandbox sandbox, OldestWaiting(connection, driver, terms));
    TRY(CheckCap(connection, handover.user, handover.most));
    TRY(GiveTo(connection, sandbox, handover));
    TRY(transaction.Commit());
    return sandbox;
  });
}

}  // namespace cordon::store
