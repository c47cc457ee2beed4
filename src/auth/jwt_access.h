// OAuth 2.1 resource server: access tokens that are signed JWTs.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "auth/access.h"
#include "cordon/result.h"

namespace cordon::auth {

struct JwtTerms {
  std::string resource;              // our own URL: must be in `aud`, letter by letter
  std::vector<std::string> issuers;  // authorization servers; `iss` must be one of them
  std::vector<std::string> scopes;   // that there are
  std::string jwks;                  // the text of the JWKS file
  std::chrono::seconds leeway{30};   // between clocks
};

// Accepts RS256/384/512, PS256/384/512, ES256/384 and nothing else; the key is chosen by
// `kid` (or is the only one that fits), its type must fit the algorithm. `exp` is needed;
// `nbf` and `iat` are checked if there. `crit` in a header is refused.
// Errors: kInvalidArguments for terms that are not complete or a JWKS without usable keys.
Result<std::unique_ptr<Access>> JwtAccess(JwtTerms terms);

}  // namespace cordon::auth
