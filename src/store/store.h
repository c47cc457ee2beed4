// Users, tokens, conversations and sandboxes, in one SQLite file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "store/records.h"

namespace cordon::store {

struct SandboxFilter {
  std::optional<std::string> user, conversation, driver;
  std::vector<SandboxState> states;  // any of these; empty: all
  std::optional<SandboxId> after;    // the page's beginning, by age
  std::size_t most = 100;
};

// Guarantees: every method is one transaction, durable when it returns: what was told to a client
//   survives a kill at any instant. A file of a newer version is not opened.
// Thread safety: all methods may run concurrently, also in several processes.
// Errors of all: kIoError; kNotFound when the record is not there; kAlreadyExists.
class Store {
 public:
  // Made if it is not there, mode 0600. ":memory:" for tests.
  static Result<std::unique_ptr<Store>> Open(const std::string& path);
  virtual ~Store() = default;

  virtual Status AddUser(const User& user) = 0;
  virtual Result<User> FindUser(std::string_view id) = 0;
  virtual Result<User> FindUserByName(std::string_view name) = 0;
  virtual Result<std::vector<User>> ListUsers() = 0;

  virtual Status AddToken(const Token& token) = 0;
  virtual Result<Token> FindTokenByHash(std::string_view hash) = 0;
  virtual Result<std::vector<Token>> ListTokens(std::string_view user) = 0;
  virtual Status RevokeToken(std::string_view user, std::string_view id, Time now) = 0;

  // Both or none: a conversation and the sandbox it is about to have.
  virtual Status AddConversation(const Conversation& conversation, const Sandbox* sandbox) = 0;
  // Those of others are not found.
  virtual Result<Conversation> FindConversation(std::string_view user, std::string_view id) = 0;
  virtual Result<std::vector<Conversation>> ListConversations(
      std::string_view user, const std::optional<std::string>& after, std::size_t most) = 0;
  // Removes it, as if it had never been: creation failed.
  virtual Status ForgetConversation(std::string_view id) = 0;
  virtual Status MarkConversationDeleted(std::string_view user, std::string_view id, Time now) = 0;

  // Fails with kLimitExceeded when `user` has `most` that are neither ended nor failed.
  virtual Status AddSandbox(const Sandbox& sandbox, std::size_t most) = 0;
  virtual Result<Sandbox> FindSandbox(std::string_view user, const SandboxId& id) = 0;
  virtual Result<Sandbox> FindAnySandbox(const SandboxId& id) = 0;
  virtual Result<std::vector<Sandbox>> ListSandboxes(const SandboxFilter& filter) = 0;
  // Writes `sandbox` if its state is still one of `from`. Errors: kStaleFile when it is not.
  virtual Status Change(const Sandbox& sandbox, const std::vector<SandboxState>& from) = 0;
  virtual Status Touch(const SandboxId& id, Time active) = 0;
  // Gives one that waits in the pool to a user and a conversation. Errors: kNotFound: none waits.
  virtual Result<Sandbox> TakePooled(std::string_view driver, std::string_view terms,
                                     std::string_view user,
                                     const std::optional<std::string>& conversation, Time now) = 0;
  // The first of `ports` that is nobody's. Errors: kLimitExceeded when all are taken.
  virtual Result<std::uint16_t> ReservePort(const SandboxId& id,
                                            const std::vector<std::uint16_t>& ports) = 0;
  virtual Status ReleasePort(const SandboxId& id) = 0;
  // Ended ones older than that are forgotten.
  virtual Status Prune(Time ended_before) = 0;
};

}  // namespace cordon::store
