// Who may come in over HTTP.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::auth {

// Who was let in.
struct Party {
  std::string id;                     // "local", or issuer and subject of a token
  std::optional<std::string> scopes;  // separated by blanks; unset: every scope
};

// Checks what an `Authorization` header holds.
// Guarantees: anything that is not certainly good is refused; comparisons of secrets do
//   not tell by their time where they differ.
// Thread safety: may run concurrently.
class Access {
 public:
  virtual ~Access() = default;
  // `header`: the value, or nothing if there was none or more than one.
  // Errors: kPermissionDenied; `detail` says why and is fit for a client.
  virtual Result<Party> Admit(std::optional<std::string_view> header) const = 0;
  // RFC 9728, where tokens come from elsewhere: what clients need to get one.
  virtual const boost::json::object* metadata() const { return nullptr; }
};

// One secret that was handed over when the server was started; 128 bits at least.
std::unique_ptr<Access> BearerToken(std::string_view token);
// For a Unix socket that nobody else can open.
std::unique_ptr<Access> EverybodyWhoConnects();

// A token of 256 random bits, fit for a header.
std::string NewToken();

}  // namespace cordon::auth
