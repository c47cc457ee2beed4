// Sandboxes, as a filter chooses them.
#include "base/try.h"
#include "store/sandbox_row.h"
#include "store/sqlite_store.h"

namespace cordon::store {
namespace {

// What a filter asks for, in SQL; its values are bound, in the same order.
std::string WhereOf(const SandboxFilter& filter) {
  std::string where = "true";
  if (filter.user) where += " AND user = ?";
  if (filter.conversation) where += " AND conversation = ?";
  if (filter.driver) where += " AND driver = ?";
  if (filter.pooled) where += " AND pooled = ?";
  if (!filter.states.empty()) {
    where += " AND state IN (";
    for (std::size_t i = 0; i < filter.states.size(); ++i) where += i == 0 ? "?" : ", ?";
    where += ")";
  }
  if (filter.after) {
    where += " AND (created, id) > (SELECT created, id FROM sandboxes WHERE id = ?";
    // What is somebody else's is no place to begin at.
    if (filter.user) where += " AND user = ?";
    where += ")";
  }
  return where + " ORDER BY created, id LIMIT ?";
}

void BindFilter(Statement& statement, const SandboxFilter& filter) {
  if (filter.user) statement.Bind(*filter.user);
  if (filter.conversation) statement.Bind(*filter.conversation);
  if (filter.driver) statement.Bind(*filter.driver);
  if (filter.pooled) {
    statement.Bind(std::int64_t{*filter.pooled == Sandbox::Pooled::kWaiting ? 1 : 0});
  }
  for (const SandboxState state : filter.states) statement.Bind(StateName(state));
  if (filter.after) {
    statement.Bind(filter.after->text());
    if (filter.user) statement.Bind(*filter.user);
  }
  statement.Bind(static_cast<std::int64_t>(filter.most));
}

}  // namespace

Result<std::vector<Sandbox>> SqliteStore::ListSandboxes(const SandboxFilter& filter) {
  return Reading([&](Connection& connection) -> Result<std::vector<Sandbox>> {
    Statement statement = connection.Prepare(SelectSandboxes(WhereOf(filter)));
    BindFilter(statement, filter);
    std::vector<Sandbox> sandboxes;
    while (true) {
      TRY_ASSIGN(const Row row, statement.Step());
      if (row == Row::kNone) return sandboxes;
      TRY_ASSIGN(Sandbox sandbox, ReadSandbox(statement));
      sandboxes.push_back(std::move(sandbox));
    }
  });
}

}  // namespace cordon::store
