// People who work in a browser: how they come in, and how they are known afterwards.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "cordon/result.h"
#include "serve/accounts.h"
#include "store/store.h"

namespace cordon::serve {

// A session is a token whose secret has two halves (docs/adr/0014): one in a cookie that scripts
// cannot read, one that the page keeps for its own origin. Neither opens anything alone.
struct OpenedSession {
  store::Token record;
  std::string name;    // of its cookie
  std::string cookie;  // the first half
  std::string key;     // the second: the page sends it with every request
};

// Guarantees: a code opens one session, once, and only for ten minutes; codes are in memory
//   alone, so that a new process knows none of the old ones. A session that is ended leaves no
//   row in the store; one that expired or was revoked is removed by the next sign-in.
// Thread safety: every method may run concurrently.
class Sessions {
 public:
  Sessions(std::shared_ptr<store::Store> store, std::shared_ptr<TokenCheck> tokens,
           std::function<store::Time()> now)
      : store_(std::move(store)), tokens_(std::move(tokens)), now_(std::move(now)) {}

  struct Code {
    std::string code;
    store::Time expires = 0;
  };
  // Whoever shows it gets a session of this user with these scopes. `whose.token` may be empty;
  // if not, the session ends with that token. Beyond 64 codes the oldest is forgotten.
  Code NewCode(const Caller& whose);

  // Errors: kPermissionDenied, the same for whatever is wrong; the store's.
  Result<OpenedSession> OpenWithCode(std::string_view code);
  Result<OpenedSession> OpenWithToken(std::string_view token);
  // No error if it has ended already.
  Status End(const Caller& session);

 private:
  struct Waiting {
    Digest hash{};
    Caller whose;
    store::Time expires = 0;
  };
  Result<OpenedSession> Open(const Caller& whose);

  const std::shared_ptr<store::Store> store_;
  const std::shared_ptr<TokenCheck> tokens_;
  const std::function<store::Time()> now_;
  std::mutex mutex_;
  std::list<Waiting> codes_;  // oldest first
};

}  // namespace cordon::serve
