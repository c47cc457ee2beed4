#include "base/try.h"
#include "store/sandbox_row.h"
#include "store/sqlite_store.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

std::string SelectConversations(std::string_view where) {
  std::string sql =
      "SELECT id, user, title, sandbox, created, changed, founded, deleted"
      " FROM conversations WHERE deleted IS NULL AND ";
  sql += where;
  return sql;
}

Conversation ReadConversation(Statement& row) {
  Conversation conversation;
  conversation.id = row.Text();
  conversation.user = row.Text();
  conversation.title = row.Text();
  conversation.sandbox = SandboxId::Parse(row.Text());
  conversation.created = row.Number();
  conversation.changed = row.Number();
  conversation.founded = row.OptionalNumber();
  conversation.deleted = row.OptionalNumber();
  return conversation;
}

// Without its sandbox, which refers to the conversation and so comes after it.
Status Insert(Connection& connection, const Conversation& conversation) {
  Statement statement = connection.Prepare(
      "INSERT INTO conversations (id, user, title, created, changed, founded, deleted)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)");
  statement.Bind(conversation.id).Bind(conversation.user).Bind(conversation.title);
  statement.Bind(conversation.created).Bind(conversation.changed);
  TRY(statement.Bind(conversation.founded).Bind(conversation.deleted).Run());
  return {};
}

Error OfAnother() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "store";
  error.detail = "the sandbox is not for this conversation";
  return error;
}

}  // namespace

Status SqliteStore::AddConversation(const Conversation& conversation, const Sandbox* sandbox) {
  if (sandbox != nullptr &&
      (sandbox->user != conversation.user || sandbox->conversation != conversation.id)) {
    return OfAnother();
  }
  return Writing(conversation.founded ? Durability::kPower : Durability::kKill,
                 [&](Connection& connection) -> Status {
                   TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
                   TRY(Insert(connection, conversation));
                   if (sandbox != nullptr) {
                     TRY(InsertSandbox(connection, *sandbox));
                   } else if (conversation.sandbox) {
                     TRY(GiveToConversation(connection, conversation.id, conversation.user,
                                            *conversation.sandbox, conversation.changed));
                   }
                   return transaction.Commit();
                 });
}

Result<Conversation> SqliteStore::FindConversation(std::string_view user, std::string_view id) {
  return Reading([&](Connection& connection) -> Result<Conversation> {
    Statement statement = connection.Prepare(SelectConversations("id = ? AND user = ?"));
    TRY_ASSIGN(const Row row, statement.Bind(id).Bind(user).Step());
    if (row == Row::kNone) return NotFound();
    return ReadConversation(statement);
  });
}

Result<std::vector<Conversation>> SqliteStore::ListConversations(
    std::string_view user, const std::optional<std::string>& after, std::size_t most) {
  return Reading([&](Connection& connection) -> Result<std::vector<Conversation>> {
    std::string where = "user = ?";
    if (after) {
      where +=
          " AND (created, id) >"
          " (SELECT created, id FROM conversations WHERE id = ? AND user = ?)";
    }
    Statement statement =
        connection.Prepare(SelectConversations(where + " ORDER BY created, id LIMIT ?"));
    statement.Bind(user);
    if (after) statement.Bind(*after).Bind(user);
    statement.Bind(static_cast<std::int64_t>(most));
    std::vector<Conversation> conversations;
    while (true) {
      TRY_ASSIGN(const Row row, statement.Step());
      if (row == Row::kNone) return conversations;
      conversations.push_back(ReadConversation(statement));
    }
  });
}

Status SqliteStore::ForgetConversation(std::string_view id) {
  return Writing(Durability::kPower, [&](Connection& connection) {
    Statement statement = connection.Prepare("DELETE FROM conversations WHERE id = ?");
    return RunOnRow(statement.Bind(id));
  });
}

Status SqliteStore::ForgetUnfounded() {
  return Writing(Durability::kPower, [](Connection& connection) -> Status {
    TRY(connection.Prepare("DELETE FROM conversations WHERE founded IS NULL").Run());
    return {};
  });
}

Status SqliteStore::MarkConversationDeleted(std::string_view user, std::string_view id, Time now) {
  return Writing(Durability::kPower, [&](Connection& connection) {
    Statement statement = connection.Prepare(
        "UPDATE conversations SET deleted = ?, changed = ?"
        " WHERE id = ? AND user = ? AND deleted IS NULL");
    return RunOnRow(statement.Bind(now).Bind(now).Bind(id).Bind(user));
  });
}

}  // namespace cordon::store
