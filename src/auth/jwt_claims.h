// What a token says, once its signature is known to be good.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>

#include "auth/access.h"
#include "auth/jwt_access.h"
#include "cordon/result.h"

namespace cordon::auth {

// Errors: kPermissionDenied.
Result<Party> CheckClaims(const boost::json::object& claims, const JwtTerms& terms,
                          std::chrono::system_clock::time_point now);

}  // namespace cordon::auth
