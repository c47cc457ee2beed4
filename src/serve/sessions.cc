#include "serve/sessions.h"

#include <algorithm>
#include <utility>

#include "auth/access.h"
#include "base/sha256.h"
#include "base/try.h"
#include "serve/session_secret.h"

namespace cordon::serve {
namespace {

constexpr store::Time kCodeLife = store::Time{10} * 60 * 1000;
constexpr store::Time kSessionLife = store::Time{12} * 3600 * 1000;
constexpr std::size_t kMostCodes = 64;
constexpr std::size_t kNameDigits = 12;
constexpr std::string_view kIdPrefix = "ses_";

Error NoEntry() {
  Error error;
  error.code = ErrorCode::kPermissionDenied;
  error.op = "sign in";
  error.rule = "access";
  error.detail = "this opens nothing: it is wrong, was used before, or is too old";
  return error;
}

}  // namespace

Sessions::Code Sessions::NewCode(const Caller& whose) {
  Code made{auth::NewToken(), now_() + kCodeLife};
  const std::lock_guard lock(mutex_);
  if (codes_.size() >= kMostCodes) codes_.pop_front();
  codes_.push_back({Sha256(made.code), whose, made.expires});
  return made;
}

Result<OpenedSession> Sessions::OpenWithCode(std::string_view code) {
  const Digest hash = Sha256(code);
  Caller whose;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(codes_.begin(), codes_.end(),
                                    [&](const Waiting& one) { return one.hash == hash; });
    if (found == codes_.end()) return NoEntry();
    const Waiting taken = std::move(*found);
    codes_.erase(found);  // whatever comes of it
    if (taken.expires <= now_()) return NoEntry();
    whose = taken.whose;
  }
  return Open(whose);
}

Result<OpenedSession> Sessions::OpenWithToken(std::string_view token) {
  const auto whose = tokens_->AdmitSecret(token);
  if (!whose) return NoEntry();
  return Open(*whose);
}

Result<OpenedSession> Sessions::Open(const Caller& whose) {
  OpenedSession opened;
  opened.name = kSessionCookie;
  const std::string name = auth::NewToken().substr(0, kNameDigits);
  opened.name += name;
  opened.cookie = auth::NewToken();
  opened.key = name + "." + auth::NewToken();
  const store::Time now = now_();
  opened.record.id = NewObjectId(kIdPrefix);
  opened.record.user = whose.user;
  opened.record.hash = ToHex(Sha256(SessionSecret(opened.cookie, opened.key)));
  opened.record.label = "dashboard";
  opened.record.scopes = whose.scopes;
  // Whoever was let in by a session is bound to what that session was bound to.
  const bool bound = std::any_of(whose.scopes.begin(), whose.scopes.end(),
                                 [](const std::string& one) { return ParentOf(one).has_value(); });
  if (!bound && !whose.token.empty()) opened.record.scopes.push_back(ParentScope(whose.token));
  opened.record.created = now;
  opened.record.expires = now + kSessionLife;
  TRY(store_->ForgetSpentTokens(kIdPrefix, now));
  TRY(store_->AddToken(opened.record));
  return opened;
}

Status Sessions::End(const Caller& session) {
  Status gone = store_->ForgetToken(session.user, session.token);
  if (!gone && gone.error().code != ErrorCode::kNotFound) return gone;
  tokens_->Forget();
  return {};
}

}  // namespace cordon::serve
