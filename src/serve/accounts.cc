#include "serve/accounts.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "auth/access.h"
#include "auth/bearer_header.h"
#include "base/sha256.h"
#include "base/try.h"
#include "base/unicode.h"
#include "serve/session_secret.h"

namespace cordon::serve {
namespace {

constexpr std::size_t kIdDigits = 24;
constexpr std::string_view kSecretPrefix = "cordon_";
constexpr store::Time kBelieved = 2000;  // milliseconds
constexpr std::size_t kMostBelieved = 4096;
constexpr std::size_t kLongestName = 128;

Error Bad(std::string_view field, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "accounts";
  error.component = field;
  error.detail = std::move(detail);
  return error;
}

bool IsKnownScope(const std::string& scope) {
  const auto& all = AllScopes();
  return std::find(all.begin(), all.end(), scope) != all.end();
}

}  // namespace

std::string NewObjectId(std::string_view prefix) {
  std::string id(prefix);
  id += auth::NewToken().substr(0, kIdDigits);
  return id;
}

const std::vector<std::string>& AllScopes() {
  static const std::vector<std::string> all = {"sandboxes:read", "sandboxes:write", "approvals",
                                               "audit", "admin"};
  return all;
}

Result<NewToken> CreateToken(store::Store& store, const TokenTerms& terms, store::Time now) {
  for (const std::string& scope : terms.scopes) {
    if (!IsKnownScope(scope)) return Bad("scopes", "there is no scope of this name: " + scope);
  }
  if (terms.scopes.empty()) return Bad("scopes", "a token without a scope opens nothing");
  if (terms.label.size() > kLongestName) return Bad("label", "this is too long");
  TRY(store.FindUser(terms.user));
  NewToken made;
  made.secret = kSecretPrefix;
  made.secret += auth::NewToken();
  made.record.id = NewObjectId("tok_");
  made.record.user = terms.user;
  made.record.hash = ToHex(Sha256(made.secret));
  made.record.label = terms.label;
  made.record.scopes = terms.scopes;
  made.record.created = now;
  made.record.expires = terms.expires;
  TRY(store.AddToken(made.record));
  return made;
}

Result<store::User> EnsureUser(store::Store& store, std::string_view name, store::Time now) {
  if (name.empty() || name.size() > kLongestName || !unicode::IsValidUtf8(name)) {
    return Bad("name", "a name has 1 to 128 bytes of text");
  }
  auto found = store.FindUserByName(name);
  if (found || found.error().code != ErrorCode::kNotFound) return found;
  store::User user{NewObjectId("usr_"), std::string(name), now};
  TRY(store.AddUser(user));
  return user;
}

struct TokenCheck::State {
  struct Seen {
    store::Token token;
    store::Time when = 0;
  };
  std::shared_ptr<store::Store> store;
  std::function<store::Time()> now;
  std::mutex mutex;
  std::unordered_map<std::string, Seen> seen;  // by hash

  std::optional<store::Token> Find(const std::string& hash, store::Time time) {
    {
      const std::lock_guard lock(mutex);
      const auto found = seen.find(hash);
      if (found != seen.end() && time - found->second.when < kBelieved) return found->second.token;
    }
    auto token = store->FindTokenByHash(hash);
    const bool good = token && ParentIsGood(*token, time);
    const std::lock_guard lock(mutex);
    if (!good) {
      seen.erase(hash);
      return std::nullopt;
    }
    if (seen.size() >= kMostBelieved) seen.clear();
    seen[hash] = {*token, time};
    return std::move(*token);
  }

  static bool IsGood(const store::Token& token, store::Time time) {
    return !token.revoked && (!token.expires || *token.expires > time);
  }

  // Of a session that was opened with a token.
  bool ParentIsGood(const store::Token& token, store::Time time) const {
    for (const std::string& scope : token.scopes) {
      const auto parent = ParentOf(scope);
      if (!parent) continue;
      const auto all = store->ListTokens(token.user);
      if (!all) return false;
      return std::any_of(all->begin(), all->end(), [&](const store::Token& one) {
        return one.id == *parent && IsGood(one, time);
      });
    }
    return true;
  }

  std::optional<Caller> Admit(std::string_view secret) {
    const store::Time time = now();
    auto token = Find(ToHex(Sha256(secret)), time);
    if (!token || !IsGood(*token, time)) return std::nullopt;
    return Caller{std::move(token->user), std::move(token->id), std::move(token->scopes)};
  }
};

TokenCheck::TokenCheck(std::shared_ptr<store::Store> store, std::function<store::Time()> now)
    : state_(std::make_unique<State>()) {
  state_->store = std::move(store);
  state_->now = std::move(now);
}

TokenCheck::~TokenCheck() = default;

void TokenCheck::Forget() {
  const std::lock_guard lock(state_->mutex);
  state_->seen.clear();
}

std::optional<Caller> TokenCheck::Admit(std::optional<std::string_view> header) {
  const auto secret = auth::TokenOf(header);
  if (!secret) return std::nullopt;
  return AdmitSecret(*secret);
}

std::optional<Caller> TokenCheck::AdmitSecret(std::string_view secret) {
  // What is none of ours is not worth a look at the store.
  if (!secret.starts_with(kSecretPrefix)) return std::nullopt;
  return state_->Admit(secret);
}

std::optional<Caller> TokenCheck::AdmitSession(std::string_view secret) {
  if (!secret.starts_with(kSessionPrefix)) return std::nullopt;
  return state_->Admit(secret);
}

}  // namespace cordon::serve
