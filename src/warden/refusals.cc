#include "warden/refusals.h"

namespace cordon::warden {
namespace {

constexpr std::size_t kMostTold = 256;

}  // namespace

bool Refusals::IsNew(Operation operation, const std::string& path, const std::string& rule) {
  std::string key(1, static_cast<char>('a' + static_cast<int>(operation)));
  key.append(rule).append(1, '\0').append(path);
  if (told_.contains(key)) {
    ++more_.repeated;
    return false;
  }
  if (told_.size() >= kMostTold) {
    ++more_.untold;
    return false;
  }
  told_.insert(std::move(key));
  return true;
}

void Refusals::Finish() {
  if (more_.repeated != 0 || more_.untold != 0) reporter_.RefusedMore(more_);
  more_ = {};
}

}  // namespace cordon::warden
