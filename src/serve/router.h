// Which route a request takes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "serve/route.h"

namespace cordon::serve {

// Guarantees: a path is decoded once, segment by segment, after it was split; what is not
//   decodable is no path at all.
// Thread safety: const methods may run concurrently.
class Router {
 public:
  explicit Router(Routes routes);

  struct Found {
    const Route* route = nullptr;
    std::map<std::string, std::string, std::less<>> parameters;
  };
  struct NotFound {};
  struct WrongMethod {
    std::string allow;  // "GET, DELETE"
  };
  // HEAD goes where GET does unless it has a route of its own.
  std::variant<Found, NotFound, WrongMethod> Find(std::string_view method,
                                                  std::string_view raw_path) const;

  const Routes& routes() const { return routes_; }

 private:
  Routes routes_;
};

}  // namespace cordon::serve
