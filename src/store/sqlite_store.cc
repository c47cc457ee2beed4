#include "store/sqlite_store.h"

#include "base/try.h"
#include "platform/file_lock.h"
#include "store/place.h"
#include "store/schema.h"

namespace cordon::store {
namespace {

constexpr std::string_view kInMemory = ":memory:";

Result<std::unique_ptr<Connection>> OpenAndMigrate(const std::string& path) {
  TRY_ASSIGN(std::unique_ptr<Connection> connection,
             Connection::Open(path, Connection::Use::kReadWrite));
  TRY(Migrate(*connection));
  return connection;
}

}  // namespace

Error NotFound() {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "store";
  return error;
}

Status RunOnRow(Statement& statement) {
  TRY_ASSIGN(const std::int64_t changed, statement.Run());
  if (changed == 0) return NotFound();
  return {};
}

Result<std::unique_ptr<Store>> Store::Open(const std::string& path) {
  if (path == kInMemory) {
    TRY_ASSIGN(std::unique_ptr<Connection> memory, OpenAndMigrate(path));
    return std::make_unique<SqliteStore>(path, std::move(memory), SqliteStore::Kind::kMemory);
  }
  TRY_ASSIGN(const Place place, PreparePlace(path));
  // One process at a time makes the tables and turns the log on.
  TRY_ASSIGN(const platform::FileLock lock,
             platform::FileLock::Take(place.directory.get(), platform::FileLock::Kind::kExclusive));
  TRY_ASSIGN(std::unique_ptr<Connection> first, OpenAndMigrate(place.path));
  return std::make_unique<SqliteStore>(place.path, std::move(first), SqliteStore::Kind::kFile);
}

}  // namespace cordon::store
