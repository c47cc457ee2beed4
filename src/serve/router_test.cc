#include "serve/router.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

Router Sample() {
  Routes routes;
  routes.push_back({"GET", "/v1/things", "list", "", "", {}, {}});
  routes.push_back({"POST", "/v1/things", "make", "", "", {}, {}});
  routes.push_back({"GET", "/v1/things/{id}", "get", "", "", {}, {}});
  routes.push_back({"GET", "/v1/things/{id}/files/{path*}", "read", "", "", {}, {}});
  return Router(std::move(routes));
}

std::string Operation(std::string_view method, std::string_view path) {
  static const Router router = Sample();
  const auto found = router.Find(method, path);
  if (const auto* const way = std::get_if<Router::Found>(&found)) {
    std::string text(way->route->operation);
    for (const auto& [name, value] : way->parameters) text += " " + name + "=" + value;
    return text;
  }
  if (const auto* const wrong = std::get_if<Router::WrongMethod>(&found)) return wrong->allow;
  return "none";
}

TEST(Router, FindsByMethodAndPath) {
  EXPECT_EQ(Operation("GET", "/v1/things"), "list");
  EXPECT_EQ(Operation("POST", "/v1/things"), "make");
  EXPECT_EQ(Operation("GET", "/v1/things/a%20b"), "get id=a b");
  EXPECT_EQ(Operation("HEAD", "/v1/things/x"), "get id=x");
}

TEST(Router, TellsWhatAPathAllows) {
  EXPECT_EQ(Operation("DELETE", "/v1/things"), "GET, POST");
  EXPECT_EQ(Operation("PUT", "/v1/things/x"), "GET");
}

TEST(Router, KnowsNothingElse) {
  for (const char* path :
       {"", "/", "/v1", "/v1/", "/v1/things/", "/v1/things/x/", "/v1/thing", "/v1//things",
        "/V1/things", "/v1/things/%", "/v1/things/%zz", "/v1/things/x/file"}) {
    EXPECT_EQ(Operation("GET", path), "none") << path;
  }
}

TEST(Router, TheRestIsDecodedOnce) {
  EXPECT_EQ(Operation("GET", "/v1/things/x/files"), "read id=x path=");
  EXPECT_EQ(Operation("GET", "/v1/things/x/files/"), "read id=x path=");
  EXPECT_EQ(Operation("GET", "/v1/things/x/files/a/b"), "read id=x path=a/b");
  EXPECT_EQ(Operation("GET", "/v1/things/x/files//etc/passwd"), "read id=x path=/etc/passwd");
  EXPECT_EQ(Operation("GET", "/v1/things/x/files/%2e%2e/b"), "read id=x path=../b");
  EXPECT_EQ(Operation("GET", "/v1/things/x/files/%252e%252e/b"), "read id=x path=%2e%2e/b");
  // An id with a slash in it is one parameter, and no other route.
  EXPECT_EQ(Operation("GET", "/v1/things/x%2Ffiles%2Fa"), "get id=x/files/a");
}

}  // namespace
}  // namespace cordon::serve
