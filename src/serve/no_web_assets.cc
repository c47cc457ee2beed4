#include "serve/web_assets.h"

namespace cordon::serve {

const std::vector<WebAsset>& WebAssets() {
  static const std::vector<WebAsset> none;
  return none;
}

}  // namespace cordon::serve
