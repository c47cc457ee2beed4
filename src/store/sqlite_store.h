// Store on SQLite; its methods are in one file for each kind of record.
#pragma once

#include <memory>
#include <string>

#include "store/connections.h"
#include "store/store.h"

namespace cordon::store {

class SqliteStore final : public Store {
 public:
  enum class Kind { kFile, kMemory };  // a store in memory has one connection for everything
  SqliteStore(std::string path, std::unique_ptr<Connection> first, Kind kind)
      : connections_(std::move(path), std::move(first)), kind_(kind) {}

  Status AddUser(const User& user) override;
  Result<User> FindUser(std::string_view id) override;
  Result<User> FindUserByName(std::string_view name) override;
  Result<std::vector<User>> ListUsers() override;

  Status AddToken(const Token& token) override;
  Result<Token> FindTokenByHash(std::string_view hash) override;
  Result<std::vector<Token>> ListTokens(std::string_view user) override;
  Status RevokeToken(std::string_view user, std::string_view id, Time now) override;
  Status NoteTokenUsed(std::string_view id, Time now) override;
  Status ForgetToken(std::string_view user, std::string_view id) override;
  Status ForgetSpentTokens(std::string_view prefix, Time now) override;

  Status AddConversation(const Conversation& conversation, const Sandbox* sandbox) override;
  Result<Conversation> FindConversation(std::string_view user, std::string_view id) override;
  Result<std::vector<Conversation>> ListConversations(std::string_view user,
                                                      const std::optional<std::string>& after,
                                                      std::size_t most) override;
  Status ForgetConversation(std::string_view id) override;
  Status ForgetUnfounded() override;
  Status MarkConversationDeleted(std::string_view user, std::string_view id, Time now) override;

  Status AddSandbox(const Sandbox& sandbox, std::size_t most) override;
  Result<Sandbox> FindSandbox(std::string_view user, const SandboxId& id) override;
  Result<Sandbox> FindAnySandbox(const SandboxId& id) override;
  Result<std::vector<Sandbox>> ListSandboxes(const SandboxFilter& filter) override;
  Status Change(const Sandbox& sandbox, const std::vector<SandboxState>& from) override;
  Status Touch(const SandboxId& id, Time active) override;
  Result<Sandbox> TakePooled(std::string_view driver, std::string_view terms,
                             const Handover& handover) override;
  Result<std::uint16_t> ReservePort(const SandboxId& id,
                                    const std::vector<std::uint16_t>& ports) override;
  Status ReleasePort(const SandboxId& id) override;
  Status SetVisibility(const SandboxId& id, Sandbox::Visibility visibility) override;
  Status Prune(Time ended_before) override;

 private:
  // Calls `work` with a connection and gives back what it returns.
  template <typename Work>
  auto Reading(Work work) -> decltype(work(std::declval<Connection&>()));
  template <typename Work>
  auto Writing(Durability durability, Work work) -> decltype(work(std::declval<Connection&>()));

  Connections connections_;
  const Kind kind_;
};

template <typename Work>
auto SqliteStore::Reading(Work work) -> decltype(work(std::declval<Connection&>())) {
  if (kind_ == Kind::kMemory) return Writing(Durability::kKill, std::move(work));
  auto reader = connections_.ToRead();
  if (!reader) return std::move(reader.error());
  return work(reader->connection());
}

template <typename Work>
auto SqliteStore::Writing(Durability durability, Work work)
    -> decltype(work(std::declval<Connection&>())) {
  const Connections::Writer writer = connections_.ToWrite();
  auto set = writer.connection.SetDurability(durability);
  if (!set) return std::move(set.error());
  return work(writer.connection);
}

// The error of a record that is not there, or not the asker's: the same for both.
Error NotFound();

// Runs a statement that must change a row. Errors: kNotFound when it changed none.
Status RunOnRow(Statement& statement);

}  // namespace cordon::store
