// Ports for previews: each is one sandbox's, or nobody's; and who may see a preview.
#include <algorithm>
#include <bitset>

#include "base/try.h"
#include "store/sqlite_store.h"
#include "store/transaction.h"

namespace cordon::store {
namespace {

using Taken = std::bitset<65536>;

// So many are asked for one by one before all that are taken are read: callers spread their first
// choices, so that one of the first is nearly always free.
constexpr std::ptrdiff_t kProbes = 8;

Result<bool> IsTaken(Connection& connection, std::uint16_t port) {
  Statement statement = connection.Prepare("SELECT 1 FROM ports WHERE port = ?");
  TRY_ASSIGN(const Row row, statement.Bind(std::int64_t{port}).Step());
  return row == Row::kThere;
}

Result<std::unique_ptr<Taken>> TakenPorts(Connection& connection) {
  auto taken = std::make_unique<Taken>();
  Statement statement = connection.Prepare("SELECT port FROM ports");
  while (true) {
    TRY_ASSIGN(const Row row, statement.Step());
    if (row == Row::kNone) return taken;
    taken->set(static_cast<std::uint16_t>(statement.Number()));
  }
}

Result<std::optional<std::uint16_t>> FirstFree(Connection& connection,
                                               const std::vector<std::uint16_t>& ports) {
  auto next = ports.begin();
  for (std::ptrdiff_t probe = 0; probe < kProbes && next != ports.end(); ++probe, ++next) {
    TRY_ASSIGN(const bool taken, IsTaken(connection, *next));
    if (!taken) return std::optional(*next);
  }
  TRY_ASSIGN(const std::unique_ptr<Taken> taken, TakenPorts(connection));
  next = std::find_if(next, ports.end(), [&](std::uint16_t port) { return !taken->test(port); });
  return next == ports.end() ? std::nullopt : std::optional(*next);
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
    TRY_ASSIGN(const std::optional<std::uint16_t> free, FirstFree(connection, ports));
    if (!free) return AllTaken();
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

Status SqliteStore::SetVisibility(const SandboxId& id, Sandbox::Visibility visibility) {
  return Writing(Durability::kKill, [&](Connection& connection) -> Status {
    const char* const sql = visibility == Sandbox::Visibility::kPublic
                                ? "INSERT OR IGNORE INTO public_previews (sandbox) VALUES (?)"
                                : "DELETE FROM public_previews WHERE sandbox = ?";
    TRY(connection.Prepare(sql).Bind(id.text()).Run());
    return {};
  });
}

}  // namespace cordon::store
