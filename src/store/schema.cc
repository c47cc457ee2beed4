#include "store/schema.h"

#include <array>
#include <string>

#include "base/try.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

constexpr std::int64_t kApplication = 0x43726431;  // "Crd1"

// One entry a version, never changed once released: what is new comes as a new one.
constexpr std::array kMigrations = {
    R"(
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  user TEXT NOT NULL REFERENCES users (id),
  hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  revoked INTEGER,
  used INTEGER
) STRICT;
CREATE INDEX tokens_by_user ON tokens (user, created, id);

CREATE TABLE conversations (
  id TEXT NOT NULL PRIMARY KEY,
  user TEXT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  sandbox TEXT REFERENCES sandboxes (id) ON DELETE SET NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  founded INTEGER,
  deleted INTEGER
) STRICT;
CREATE INDEX conversations_by_user ON conversations (user, created, id);
CREATE INDEX conversations_by_sandbox ON conversations (sandbox);

CREATE TABLE sandboxes (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 26),
  user TEXT REFERENCES users (id),
  conversation TEXT REFERENCES conversations (id) ON DELETE SET NULL,
  driver TEXT NOT NULL,
  handle TEXT NOT NULL,
  terms TEXT NOT NULL,
  facts TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('pending', 'ready', 'paused', 'terminating', 'terminated', 'failed')),
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  active INTEGER NOT NULL,
  ready INTEGER,
  expires INTEGER,
  ended INTEGER,
  exit_status INTEGER,
  memory TEXT NOT NULL CHECK (memory IN ('unknown', 'enough', 'ran_out')),
  last_lines TEXT NOT NULL,
  public_url TEXT NOT NULL,
  pooled INTEGER NOT NULL CHECK (pooled IN (0, 1)),
  revision INTEGER NOT NULL,
  CHECK ((user IS NULL) = pooled),
  CHECK ((ended IS NOT NULL) = (state IN ('terminated', 'failed')))
) STRICT;
CREATE INDEX sandboxes_by_user ON sandboxes (user, created, id);
CREATE INDEX sandboxes_alive ON sandboxes (user) WHERE state NOT IN ('terminated', 'failed');
CREATE INDEX sandboxes_by_conversation ON sandboxes (conversation);
CREATE INDEX sandboxes_by_state ON sandboxes (state, created, id);

CREATE TABLE ports (
  port INTEGER NOT NULL PRIMARY KEY CHECK (port BETWEEN 1 AND 65535),
  sandbox TEXT NOT NULL UNIQUE REFERENCES sandboxes (id) ON DELETE CASCADE
) STRICT;
)",
    R"(
CREATE TABLE public_previews (
  sandbox TEXT NOT NULL PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE
) STRICT;
)",
};

Error Refuse(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "open";
  error.detail = std::move(detail);
  return error;
}

Result<std::int64_t> Ask(Connection& connection, std::string_view pragma) {
  Statement statement = connection.Prepare(pragma);
  TRY_ASSIGN(const Row row, statement.Step());
  return row == Row::kThere ? statement.Number() : 0;
}

Status CheckWhole(Connection& connection) {
  Statement statement = connection.Prepare("PRAGMA quick_check(1)");
  TRY(statement.Step());
  const std::string said = statement.Text();
  if (said == "ok") return {};
  return Refuse(ErrorCode::kIoError, "the store is damaged: " + said);
}

// Whether there is anything in it yet.
Result<bool> IsEmpty(Connection& connection) {
  TRY_ASSIGN(const std::int64_t tables, Ask(connection, "SELECT count(*) FROM sqlite_schema"));
  return tables == 0;
}

Status CheckOurs(Connection& connection, std::int64_t version) {
  TRY_ASSIGN(const std::int64_t application, Ask(connection, "PRAGMA application_id"));
  TRY_ASSIGN(const bool empty, IsEmpty(connection));
  if (empty && version == 0 && application == 0) return {};
  if (application != kApplication) {
    return Refuse(ErrorCode::kIoError, "the file holds another program's data, and no store");
  }
  if (version <= SchemaVersion()) return {};
  return Refuse(ErrorCode::kUnsupported, "the store is of version " + std::to_string(version) +
                                             ", newer than this program, which knows " +
                                             std::to_string(SchemaVersion()));
}

Status MigrateFrom(Connection& connection, std::int64_t version) {
  TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
  for (auto next = static_cast<std::size_t>(version); next < kMigrations.size(); ++next) {
    TRY(connection.Execute(kMigrations.at(next)));
  }
  const std::string stamp = "PRAGMA application_id = " + std::to_string(kApplication) +
                            "; PRAGMA user_version = " + std::to_string(SchemaVersion());
  TRY(connection.Execute(stamp.c_str()));
  return transaction.Commit();
}

}  // namespace

int SchemaVersion() { return static_cast<int>(kMigrations.size()); }

Status Migrate(Connection& connection) {
  TRY_ASSIGN(const std::int64_t version, Ask(connection, "PRAGMA user_version"));
  TRY(CheckOurs(connection, version));
  TRY(CheckWhole(connection));
  TRY(connection.Execute("PRAGMA journal_mode = WAL"));
  if (version == SchemaVersion()) return {};
  return MigrateFrom(connection, version);
}

}  // namespace cordon::store
