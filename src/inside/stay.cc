#include "inside/stay.h"

#include <array>

#include "platform/child_process.h"
#include "platform/wait_events.h"

namespace cordon::inside {

int Stay() {
  using platform::SignalSource;
  if (!platform::SetTraceable(platform::Traceable::kNo)) return 1;
  // Termination is for the engine to ask for, and it kills.
  const Result<SignalSource> signals =
      SignalSource::Open(SignalSource::Of::kChildrenAndTermination);
  if (!signals) return 1;
  while (true) {
    std::array<platform::Awaited, 1> child = {platform::Awaited{signals->descriptor()}};
    platform::AwaitAny(child, std::nullopt);
    static_cast<void>(signals->Take());
    while (true) {
      const Result<std::optional<platform::Exit>> ended = platform::ReapNext();
      if (!ended || !*ended) break;
    }
  }
}

}  // namespace cordon::inside
