#include "store/sandbox_row.h"

#include <array>
#include <utility>

#include "base/try.h"
#include "store/sqlite_store.h"

namespace cordon::store {
namespace {

using Memory = Sandbox::Memory;

constexpr std::array<std::pair<Memory, std::string_view>, 3> kMemories = {{
    {Memory::kUnknown, "unknown"},
    {Memory::kEnough, "enough"},
    {Memory::kRanOut, "ran_out"},
}};

Memory ParseMemory(std::string_view text) {
  for (const auto& [memory, name] : kMemories) {
    if (name == text) return memory;
  }
  return Memory::kUnknown;
}

Error Unreadable() {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "store";
  error.detail = "the store is damaged: it holds a sandbox that cannot be one";
  return error;
}

template <typename To, typename From>
std::optional<To> Convert(const std::optional<From>& number) {
  if (!number) return std::nullopt;
  return static_cast<To>(*number);
}

// A user who is nobody is NULL.
std::optional<std::string_view> OwnerOf(const Sandbox& sandbox) {
  if (sandbox.pooled == Sandbox::Pooled::kWaiting) return std::nullopt;
  return sandbox.user;
}

}  // namespace

std::string_view MemoryName(Memory memory) {
  for (const auto& [known, name] : kMemories) {
    if (known == memory) return name;
  }
  return "unknown";
}

std::string SelectSandboxes(std::string_view where) {
  std::string sql =
      "SELECT id, user, conversation, driver, handle, terms, facts, state, reason, message,"
      " created, changed, active, ready, expires, ended, exit_status, memory, last_lines,"
      " (SELECT port FROM ports WHERE sandbox = sandboxes.id), public_url, pooled, revision,"
      " EXISTS (SELECT 1 FROM public_previews WHERE sandbox = sandboxes.id)"
      " FROM sandboxes WHERE ";
  sql += where;
  return sql;
}

Result<Sandbox> ReadSandbox(Statement& row) {
  auto id = SandboxId::Parse(row.Text());
  if (!id) return Unreadable();
  Sandbox sandbox{std::move(*id)};
  sandbox.user = row.Text();
  sandbox.conversation = row.OptionalText();
  sandbox.driver = row.Text();
  sandbox.handle = row.Text();
  sandbox.terms = row.Text();
  sandbox.facts = row.Text();
  const auto state = ParseState(row.Text());
  if (!state) return Unreadable();
  sandbox.state = *state;
  sandbox.reason = row.Text();
  sandbox.message = row.Text();
  sandbox.created = row.Number();
  sandbox.changed = row.Number();
  sandbox.active = row.Number();
  sandbox.ready = row.OptionalNumber();
  sandbox.expires = row.OptionalNumber();
  sandbox.ended = row.OptionalNumber();
  sandbox.exit_status = Convert<int>(row.OptionalNumber());
  sandbox.memory = ParseMemory(row.Text());
  sandbox.last_lines = row.Text();
  sandbox.port = Convert<std::uint16_t>(row.OptionalNumber());
  sandbox.public_url = row.Text();
  sandbox.pooled = row.Number() == 0 ? Sandbox::Pooled::kNo : Sandbox::Pooled::kWaiting;
  sandbox.revision = row.Number();
  sandbox.visibility =
      row.Number() == 0 ? Sandbox::Visibility::kPrivate : Sandbox::Visibility::kPublic;
  return sandbox;
}

Status InsertSandbox(Connection& connection, const Sandbox& sandbox) {
  Statement statement = connection.Prepare(
      "INSERT INTO sandboxes (id, user, conversation, driver, handle, terms, facts, state, reason,"
      " message, created, changed, active, ready, expires, ended, exit_status, memory, last_lines,"
      " public_url, pooled, revision)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)");
  statement.Bind(sandbox.id.text()).BindOrNull(OwnerOf(sandbox)).BindOrNull(sandbox.conversation);
  statement.Bind(sandbox.driver).Bind(sandbox.handle).Bind(sandbox.terms).Bind(sandbox.facts);
  statement.Bind(StateName(sandbox.state)).Bind(sandbox.reason).Bind(sandbox.message);
  statement.Bind(sandbox.created).Bind(sandbox.changed).Bind(sandbox.active).Bind(sandbox.ready);
  statement.Bind(sandbox.expires)
      .Bind(sandbox.ended)
      .Bind(Convert<std::int64_t>(sandbox.exit_status));
  statement.Bind(MemoryName(sandbox.memory)).Bind(sandbox.last_lines).Bind(sandbox.public_url);
  statement.Bind(std::int64_t{sandbox.pooled == Sandbox::Pooled::kWaiting ? 1 : 0});
  TRY(statement.Run());
  if (!sandbox.conversation) return {};
  return GiveToConversation(connection, *sandbox.conversation, sandbox.user, sandbox.id,
                            sandbox.created);
}

Status GiveToConversation(Connection& connection, std::string_view conversation,
                          std::string_view user, const SandboxId& id, Time now) {
  Statement statement = connection.Prepare(
      "UPDATE conversations SET sandbox = ?, changed = ?"
      " WHERE id = ? AND user = ? AND deleted IS NULL");
  return RunOnRow(statement.Bind(id.text()).Bind(now).Bind(conversation).Bind(user));
}

Status FoundConversation(Connection& connection, std::string_view conversation, Time now) {
  Statement statement =
      connection.Prepare("UPDATE conversations SET founded = ? WHERE id = ? AND founded IS NULL");
  TRY(statement.Bind(now).Bind(conversation).Run());
  return {};
}

Status CheckCap(Connection& connection, std::string_view user, std::size_t most) {
  Statement statement = connection.Prepare(
      "SELECT count(*) FROM sandboxes WHERE user = ? AND state NOT IN ('terminated', 'failed')");
  TRY(statement.Bind(user).Step());
  if (static_cast<std::size_t>(statement.Number()) < most) return {};
  Error error;
  error.code = ErrorCode::kLimitExceeded;
  error.op = "store";
  error.detail =
      "there are " + std::to_string(most) + " sandboxes already, and no more are allowed";
  return error;
}

}  // namespace cordon::store
