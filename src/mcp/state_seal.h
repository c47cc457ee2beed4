// What a client carries for us between a question and its answer, and cannot change.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::mcp {

// What a sealed state is good for, and nothing else.
struct Binding {
  std::string principal;
  std::string method;
  Digest arguments = {};  // of the parameters that a repeated request must have, too
};

// Guarantees: what Open gives was given to Seal of this object, under the same binding,
//   not longer ago than the time allowed, and is given once.
// Not guaranteed: secrecy; the client can read it.
// Thread safety: may run concurrently.
class StateSeal {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  explicit StateSeal(std::chrono::seconds lifetime = std::chrono::minutes(5), Clock clock = {});
  ~StateSeal();

  std::string Seal(const Binding& binding, const boost::json::object& carried);
  // Errors: kInvalidArguments; `detail` says why and is fit for a client.
  Result<boost::json::object> Open(const Binding& binding, std::string_view sealed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cordon::mcp
