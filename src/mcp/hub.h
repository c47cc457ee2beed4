// From a Service to every client that wants to know: something has changed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cordon::mcp {

// A change, as it is told.
struct Change {
  enum class Kind { kTools, kPrompts, kResources, kResource, kTask };
  Kind kind = Kind::kResource;
  std::string uri = {};  // of kResource; of kTask its id
};

// Thread safety: everything may run concurrently. Listeners run in the caller's thread and
// must not wait.
class Hub {
 public:
  Hub();
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  void Tell(const Change& change);

  // Listens until the handle is dropped; after that the listener does not run any more.
  using Handle = std::shared_ptr<void>;
  Handle Listen(std::function<void(const Change&)> listener);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cordon::mcp
