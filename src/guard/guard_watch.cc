// Guard::Watch.
#include <utility>

#include "guard/guard.h"
#include "guard/guard_state.h"

namespace cordon::guard {

Result<platform::Watcher::Handle> Guard::Watch(const Call& call, std::string_view untrusted,
                                               platform::Watcher& watcher,
                                               const std::function<void()>& changed) {
  const Act act{&call, audit::Event::kFileRead, Operation::kRead, untrusted};
  return state_->Told(act, Look::kObject, [&](Way& way) -> Result<platform::Watcher::Handle> {
    auto watched = way.root->Watch(way.path(), watcher, changed, way.expected);
    if (!watched) return std::move(watched.error());
    way.opened = std::move(watched->path);
    return std::move(watched->handle);
  });
}

}  // namespace cordon::guard
