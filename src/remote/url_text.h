// Text as a part of a URL.
#pragma once

#include <string>
#include <string_view>

namespace cordon::remote {

// Everything escaped but letters, digits and "-._~"; in a path slashes stay, too.
std::string UrlPath(std::string_view bytes);
std::string UrlValue(std::string_view bytes);

}  // namespace cordon::remote
