// The keys by which tokens are verified, and the only place that calls the library for it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::auth {

// One public key of a JWKS file.
// Thread safety: may be used concurrently.
class JwtKey {
 public:
  virtual ~JwtKey() = default;
  virtual const std::string& id() const = 0;  // "" if it has none
  virtual bool Fits(std::string_view algorithm) const = 0;
  // The payload of a token in compact form whose signature by `algorithm` is good.
  // Errors: kPermissionDenied.
  virtual Result<std::string> Verify(std::string_view token, std::string_view algorithm) const = 0;
};

// RS256/384/512, PS256/384/512 with RSA keys of 2048 bits and more, ES256 with P-256 and
// ES384 with P-384. Never one whose secret is the same for both sides.
bool IsKnownAlgorithm(std::string_view algorithm);

// Keys of other kinds, or for other uses, are passed over.
// Errors: kInvalidArguments for what is no JWKS, or has none that can be used.
Result<std::vector<std::unique_ptr<JwtKey>>> ParseKeys(std::string_view jwks);

}  // namespace cordon::auth
