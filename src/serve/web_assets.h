// The dashboard, as it was built and put into the program (cmake/web.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace cordon::serve {

struct WebAsset {
  std::string_view path;        // "/", "/assets/main-3F9C.js"
  std::string_view media_type;  // "text/javascript"
  std::string_view etag;        // strong, with its quotes
  // A name that holds a hash never means other bytes.
  enum class Keep { kAsk, kForever } keep = Keep::kAsk;
  std::string_view gzip;  // the bytes, compressed
};

// Empty where it was built without (CORDON_WEB=OFF).
const std::vector<WebAsset>& WebAssets();

}  // namespace cordon::serve
