// Users and their tokens, over what the store keeps of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "serve/call.h"
#include "store/store.h"

namespace cordon::serve {

// "cnv_" and 24 random hexadecimal digits.
std::string NewObjectId(std::string_view prefix);

// Every scope that a token can have.
const std::vector<std::string>& AllScopes();

struct TokenTerms {
  std::string user;  // store::User::id
  std::string label;
  std::vector<std::string> scopes;
  std::optional<store::Time> expires;
};
struct NewToken {
  store::Token record;
  std::string secret;  // told once, never kept
};
// Errors: kInvalidArguments for a scope that there is not; kNotFound for the user; the store's.
Result<NewToken> CreateToken(store::Store& store, const TokenTerms& terms, store::Time now);
// The user of this name, made if there is none. Errors: kInvalidArguments for a bad name.
Result<store::User> EnsureUser(store::Store& store, std::string_view name, store::Time now);

// Who shows which token. What it has seen it believes for two seconds, so that the I/O thread
// which asks seldom waits for the store; a revocation holds after that time everywhere.
// Guarantees: a token is compared by its SHA-256 alone; nothing tells an unknown one from one that
//   was revoked or has expired.
// Thread safety: may run concurrently.
class TokenCheck {
 public:
  TokenCheck(std::shared_ptr<store::Store> store, std::function<store::Time()> now);
  ~TokenCheck();
  // `header`: the Authorization header; nothing if there is none or more than one.
  std::optional<Caller> Admit(std::optional<std::string_view> header);
  // The same for a token without the header around it.
  std::optional<Caller> AdmitSecret(std::string_view secret);
  // Of a browser (session_secret.h); none whose parent token opens nothing any more.
  std::optional<Caller> AdmitSession(std::string_view secret);
  // A token of this process is gone now.
  void Forget();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cordon::serve
