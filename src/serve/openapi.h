// The OpenAPI 3.1 document, made of the routes themselves.
#pragma once

#include <string>

#include "serve/route.h"

namespace cordon::serve {

std::string OpenApiText(const Routes& routes, std::string_view version);

}  // namespace cordon::serve
