// Users, and the tokens they come with.
#include "base/try.h"
#include "store/sqlite_store.h"

namespace cordon::store {
namespace {

User ReadUser(Statement& row) {
  User user;
  user.id = row.Text();
  user.name = row.Text();
  user.created = row.Number();
  return user;
}

Result<User> FindOne(Connection& connection, std::string_view sql, std::string_view key) {
  Statement statement = connection.Prepare(sql);
  TRY_ASSIGN(const Row row, statement.Bind(key).Step());
  if (row == Row::kNone) return NotFound();
  return ReadUser(statement);
}

// Scopes have no spaces in them, so one text holds them all.
constexpr std::string_view kTokenColumns =
    "id, user, hash, label, scopes, created, expires, revoked, used";

Result<std::string> JoinScopes(const std::vector<std::string>& scopes) {
  std::string joined;
  for (const std::string& scope : scopes) {
    if (scope.empty() || scope.find_first_of(" \t\r\n") != std::string::npos) {
      Error error;
      error.code = ErrorCode::kInvalidArguments;
      error.op = "store";
      error.detail = "a scope is empty or has a space in it";
      return error;
    }
    if (!joined.empty()) joined += ' ';
    joined += scope;
  }
  return joined;
}

std::vector<std::string> SplitScopes(std::string_view joined) {
  std::vector<std::string> scopes;
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find(' '), joined.size());
    scopes.emplace_back(joined.substr(0, end));
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return scopes;
}

Token ReadToken(Statement& row) {
  Token token;
  token.id = row.Text();
  token.user = row.Text();
  token.hash = row.Text();
  token.label = row.Text();
  token.scopes = SplitScopes(row.Text());
  token.created = row.Number();
  token.expires = row.OptionalNumber();
  token.revoked = row.OptionalNumber();
  token.used = row.OptionalNumber();
  return token;
}

std::string SelectTokens(std::string_view where) {
  std::string sql = "SELECT ";
  sql.append(kTokenColumns).append(" FROM tokens WHERE ").append(where);
  return sql;
}

}  // namespace

Status SqliteStore::AddUser(const User& user) {
  return Writing(Durability::kPower, [&](Connection& connection) -> Status {
    Statement statement =
        connection.Prepare("INSERT INTO users (id, name, created) VALUES (?, ?, ?)");
    TRY(statement.Bind(user.id).Bind(user.name).Bind(user.created).Run());
    return {};
  });
}

Result<User> SqliteStore::FindUser(std::string_view id) {
  return Reading([&](Connection& connection) {
    return FindOne(connection, "SELECT id, name, created FROM users WHERE id = ?", id);
  });
}

Result<User> SqliteStore::FindUserByName(std::string_view name) {
  return Reading([&](Connection& connection) {
    return FindOne(connection, "SELECT id, name, created FROM users WHERE name = ?", name);
  });
}

Result<std::vector<User>> SqliteStore::ListUsers() {
  return Reading([](Connection& connection) -> Result<std::vector<User>> {
    Statement statement =
        connection.Prepare("SELECT id, name, created FROM users ORDER BY created, id");
    std::vector<User> users;
    while (true) {
      TRY_ASSIGN(const Row row, statement.Step());
      if (row == Row::kNone) return users;
      users.push_back(ReadUser(statement));
    }
  });
}

Status SqliteStore::AddToken(const Token& token) {
  TRY_ASSIGN(const std::string scopes, JoinScopes(token.scopes));
  return Writing(Durability::kPower, [&](Connection& connection) -> Status {
    std::string sql = "INSERT INTO tokens (";
    sql.append(kTokenColumns).append(") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement statement = connection.Prepare(sql);
    statement.Bind(token.id).Bind(token.user).Bind(token.hash).Bind(token.label).Bind(scopes);
    statement.Bind(token.created).Bind(token.expires).Bind(token.revoked).Bind(token.used);
    TRY(statement.Run());
    return {};
  });
}

Result<Token> SqliteStore::FindTokenByHash(std::string_view hash) {
  return Reading([&](Connection& connection) -> Result<Token> {
    Statement statement = connection.Prepare(SelectTokens("hash = ?"));
    TRY_ASSIGN(const Row row, statement.Bind(hash).Step());
    if (row == Row::kNone) return NotFound();
    return ReadToken(statement);
  });
}

Result<std::vector<Token>> SqliteStore::ListTokens(std::string_view user) {
  return Reading([&](Connection& connection) -> Result<std::vector<Token>> {
    Statement statement = connection.Prepare(SelectTokens("user = ? ORDER BY created, id"));
    statement.Bind(user);
    std::vector<Token> tokens;
    while (true) {
      TRY_ASSIGN(const Row row, statement.Step());
      if (row == Row::kNone) return tokens;
      tokens.push_back(ReadToken(statement));
    }
  });
}

// The first time counts.
Status SqliteStore::RevokeToken(std::string_view user, std::string_view id, Time now) {
  return Writing(Durability::kPower, [&](Connection& connection) {
    Statement statement = connection.Prepare(
        "UPDATE tokens SET revoked = coalesce(revoked, ?) WHERE id = ? AND user = ?");
    return RunOnRow(statement.Bind(now).Bind(id).Bind(user));
  });
}

Status SqliteStore::NoteTokenUsed(std::string_view id, Time now) {
  return Writing(Durability::kKill, [&](Connection& connection) {
    Statement statement =
        connection.Prepare("UPDATE tokens SET used = max(coalesce(used, 0), ?) WHERE id = ?");
    return RunOnRow(statement.Bind(now).Bind(id));
  });
}

Status SqliteStore::ForgetToken(std::string_view user, std::string_view id) {
  return Writing(Durability::kPower, [&](Connection& connection) {
    Statement statement = connection.Prepare("DELETE FROM tokens WHERE id = ? AND user = ?");
    return RunOnRow(statement.Bind(id).Bind(user));
  });
}

Status SqliteStore::ForgetSpentTokens(std::string_view prefix, Time now) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Status {
    Statement statement = connection.Prepare(
        "DELETE FROM tokens WHERE substr(id, 1, length(?)) = ? AND "
        "(revoked IS NOT NULL OR expires <= ?)");
    TRY(statement.Bind(prefix).Bind(prefix).Bind(now).Run());
    return {};
  });
}

}  // namespace cordon::store
