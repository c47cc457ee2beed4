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
  std::optional<Sandbox::Pooled> pooled;
  std::optional<SandboxId> after;  // the page begins behind this one; the oldest come first
  std::size_t most = 100;
};

// Whose a sandbox from the pool becomes.
struct Handover {
  std::string user;
  std::optional<std::string> conversation;
  std::string terms;  // from now on
  std::optional<Time> expires;
  std::size_t most = 0;  // as for AddSandbox
  Time now = 0;
};

// Guarantees: every method is one transaction: what was told to a client survives a kill at any
//   instant. Users, tokens, and conversations once founded survive a power failure as well. A file
//   of a newer version, of another program, or damaged, is not opened.
// Does not guarantee: that the last changes to sandboxes survive a power failure. Their programs
//   do not either, and waiting for the disk would cost more than making one.
// Thread safety: all methods may run concurrently, also in several processes.
// Errors of all: kIoError; kNotFound when the record, or one it refers to, is not there;
//   kAlreadyExists.
class Store {
 public:
  // Made if it is not there, mode 0600, its directory too, mode 0700. ":memory:" for tests.
  // Errors: kPermissionDenied when others could read or replace it; kUnsupported for a newer
  // version.
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
  virtual Status NoteTokenUsed(std::string_view id, Time now) = 0;
  // Removes it, as if it had never been.
  virtual Status ForgetToken(std::string_view user, std::string_view id) = 0;
  // The same for all whose id begins so and that open nothing any more: revoked, or expired by now.
  virtual Status ForgetSpentTokens(std::string_view prefix, Time now) = 0;

  // Both or none: a conversation and the sandbox it is about to have, which may be null and is
  // counted against no cap: AddSandbox does that, and ties it to its conversation as well.
  virtual Status AddConversation(const Conversation& conversation, const Sandbox* sandbox) = 0;
  // Those of others are not found, nor those that were deleted. The oldest are listed first.
  virtual Result<Conversation> FindConversation(std::string_view user, std::string_view id) = 0;
  virtual Result<std::vector<Conversation>> ListConversations(
      std::string_view user, const std::optional<std::string>& after, std::size_t most) = 0;
  // Removes it, as if it had never been: creation failed.
  virtual Status ForgetConversation(std::string_view id) = 0;
  // Those that a process did not come to found (Conversation::founded) before it ended.
  virtual Status ForgetUnfounded() = 0;
  virtual Status MarkConversationDeleted(std::string_view user, std::string_view id, Time now) = 0;

  // Fails with kLimitExceeded when its user has `most` that are neither ended nor failed; one for
  // the pool is counted against nobody. Its conversation must be the same user's.
  virtual Status AddSandbox(const Sandbox& sandbox, std::size_t most) = 0;
  virtual Result<Sandbox> FindSandbox(std::string_view user, const SandboxId& id) = 0;
  virtual Result<Sandbox> FindAnySandbox(const SandboxId& id) = 0;
  virtual Result<std::vector<Sandbox>> ListSandboxes(const SandboxFilter& filter) = 0;
  // Writes `sandbox` if its state is still one of `from` and nobody has changed it since it was
  // read; but for id, user, conversation, created, active, port, visibility and pooled, which stay
  // as they are. One that becomes ready founds its conversation. Errors: kStaleFile: not so.
  virtual Status Change(const Sandbox& sandbox, const std::vector<SandboxState>& from) = 0;
  virtual Status Touch(const SandboxId& id, Time active) = 0;
  // Gives the oldest that is ready and waits in the pool, made by `driver` on just these `terms`.
  // Errors: kNotFound: none waits; kLimitExceeded.
  virtual Result<Sandbox> TakePooled(std::string_view driver, std::string_view terms,
                                     const Handover& handover) = 0;
  // The first of `ports` that is nobody's, or the one it has already. Errors: kLimitExceeded when
  // all are taken.
  virtual Result<std::uint16_t> ReservePort(const SandboxId& id,
                                            const std::vector<std::uint16_t>& ports) = 0;
  virtual Status ReleasePort(const SandboxId& id) = 0;
  // Who may see its preview.
  virtual Status SetVisibility(const SandboxId& id, Sandbox::Visibility visibility) = 0;
  // Sandboxes that ended, and conversations that were deleted, earlier than that are forgotten.
  virtual Status Prune(Time ended_before) = 0;
};

}  // namespace cordon::store
