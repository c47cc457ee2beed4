#include "store/connection.h"

#include <sqlite3.h>

#include "base/try.h"

namespace cordon::store {
namespace {

constexpr int kPatienceMilliseconds = 10'000;

// How a connection is furnished; WAL is the file's own property and set where it is made.
constexpr const char* kFurnish =
    "PRAGMA foreign_keys = ON;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA cell_size_check = ON;";

ErrorCode CodeOf(int extended) {
  switch (extended) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE: return ErrorCode::kAlreadyExists;
    case SQLITE_CONSTRAINT_FOREIGNKEY: return ErrorCode::kNotFound;
    default: return ErrorCode::kIoError;
  }
}

std::string DetailOf(int code, const char* said) {
  switch (code) {
    case SQLITE_CORRUPT: return "the store is damaged: " + std::string(said);
    case SQLITE_NOTADB: return "the store is damaged, or is not a store: " + std::string(said);
    case SQLITE_BUSY: return "the store was busy for ten seconds: " + std::string(said);
    case SQLITE_FULL: return "there is no room for the store: " + std::string(said);
    default: return "the store: " + std::string(said);
  }
}

}  // namespace

Error ErrorOf(sqlite3* database) {
  Error error;
  error.code = CodeOf(sqlite3_extended_errcode(database));
  error.op = "sqlite";
  error.os_errno = error.code == ErrorCode::kIoError ? sqlite3_system_errno(database) : 0;
  error.detail = DetailOf(sqlite3_errcode(database) & 0xff, sqlite3_errmsg(database));
  return error;
}

void Connection::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Connection::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}
Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Use use) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  // A reader of a write-ahead log takes locks in shared memory, so it opens to write as well.
  flags |= SQLITE_OPEN_READWRITE;
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  std::unique_ptr<Connection> connection(new Connection(opened));
  if (code != SQLITE_OK) return ErrorOf(opened);
  sqlite3_busy_timeout(opened, kPatienceMilliseconds);
  // The file may have been written by somebody who means ill, or by chance.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  TRY(connection->Execute(kFurnish));
  if (use == Use::kRead) TRY(connection->Execute("PRAGMA query_only = ON"));
  return connection;
}

Statement Connection::Prepare(std::string_view sql) {
  auto found = prepared_.find(sql);
  if (found == prepared_.end()) {
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &made, nullptr) != SQLITE_OK) {
      return Statement(ErrorOf(database_.get()));
    }
    found = prepared_.emplace(std::string(sql), made).first;
  }
  return Statement(found->second.get());
}

Status Connection::SetDurability(Durability durability) {
  if (durability == durability_) return {};
  // With a write-ahead log, NORMAL loses nothing that a living kernel was given.
  TRY(Execute(durability == Durability::kPower ? "PRAGMA synchronous = FULL"
                                               : "PRAGMA synchronous = NORMAL"));
  durability_ = durability;
  return {};
}

Status Connection::Execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return ErrorOf(database_.get());
}

}  // namespace cordon::store
