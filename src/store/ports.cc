// Ports for previews: each is one sandbox's, or nobody's.
#include <algorithm>
#include <bitset>

#include "base/try.h"
#include "store/sqlite_store.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

using Taken = std::bitset<65536>;

Result<std::unique_ptr<Taken>> TakenPorts(Connection& connection) {
  auto taken = std::make_unique<Taken>();
  Statement statement = connection.Prepare("SELECT port FROM ports");
  while (true) {
    TRY_ASSIGN(const Row row, statement.Step());
    if (row == Row::kNone) return taken;
    taken->set(static_cast<std::uint16_t>(statement.Number()));
  }
}

Result<std::optional<std::uint16_t>> PortOf(Connection& connection, const SandboxId& id) {
  Statement statement = connection.Prepare("SELECT port FROM ports WHERE sandbox = ?");
  TRY_ASSIGN(const Row row, statement.Bind(id.text()).Step());
  if (row == Row::kNone) return std::optional<std::uint16_t>();
  return std::optional(static_cast<std::uint16_t>(statement.Number()));
}

Error AllTaken() {
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.op = "store";
  error.detail = "every port for previews is taken";
  return error;
}

}  // namespace

Result<std::uint16_t> SqliteStore::ReservePort(const SandboxId& id,
                                               const std::vector<std::uint16_t>& ports) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Result<std::uint16_t> {
    TRY_ASSIGN(Transaction transaction, Transaction::Begin(connection));
    TRY_ASSIGN(const std::optional<std::uint16_t> has, PortOf(connection, id));
    if (has) return *has;
    TRY_ASSIGN(const std::unique_ptr<Taken> taken, TakenPorts(connection));
    const auto free = std::find_if(ports.begin(), ports.end(),
                                   [&](std::uint16_t port) { return !taken->test(port); });
    if (free == ports.end()) return AllTaken();
    Statement statement = connection.Prepare("INSERT INTO ports (port, sandbox) VALUES (?, ?)");
    TRY(statement.Bind(std::int64_t{*free}).Bind(id.text()).Run());
    TRY(transaction.Commit());
    return *free;
  });
}

Status SqliteStore::ReleasePort(const SandboxId& id) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Status {
    TRY(connection.Prepare("DELETE FROM ports WHERE sandbox = ?").Bind(id.text()).Run());
    return {};
  });
}

}  // namespace cordon::store
