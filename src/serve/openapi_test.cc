#include "serve/openapi.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "serve/routes.h"
#include "serve/schemas.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

json::value Document(const Routes& routes) { return json::parse(OpenApiText(routes, "1")); }

// Every "$ref" in `value`.
void CollectReferences(const json::value& value, std::set<std::string>& references) {
  if (const json::array* const list = value.if_array()) {
    for (const json::value& one : *list) CollectReferences(one, references);
  }
  const json::object* const object = value.if_object();
  if (object == nullptr) return;
  for (const auto& member : *object) {
    if (member.key() == "$ref") references.emplace(member.value().as_string());
    CollectReferences(member.value(), references);
  }
}

TEST(OpenApi, NamesTheOperationsOfTheRoutes) {
  const Routes routes = AllRoutes({});
  std::set<std::string> wanted;
  for (const Route& route : routes) {
    EXPECT_TRUE(wanted.emplace(route.operation).second) << route.operation;
  }
  std::set<std::string> named;
  const json::value document = Document(routes);
  for (const auto& path : document.at("paths").as_object()) {
    for (const auto& method : path.value().as_object()) {
      named.emplace(method.value().at("operationId").as_string());
    }
  }
  EXPECT_EQ(named, wanted);
  EXPECT_GT(named.size(), 40U);
}

TEST(OpenApi, EveryReferenceLeadsSomewhereAndEverySchemaIsUsed) {
  const json::value document = Document(AllRoutes({}));
  std::set<std::string> references;
  CollectReferences(document, references);
  std::set<std::string> there;
  for (const auto& schema : document.at("components").at("schemas").as_object()) {
    there.emplace("#/components/schemas/" + std::string(schema.key()));
  }
  for (const std::string& one : references) EXPECT_TRUE(there.contains(one)) << one;
  there.erase("#/components/schemas/Document");  // of the document's own route
  for (const std::string& one : there) EXPECT_TRUE(references.contains(one)) << one;
}

TEST(OpenApi, EverythingNeedsATokenButHealthAndTheWayIn) {
  const std::set<std::string_view> open = {"getHealth", "getReadiness", "getDashboard",
                                           "getDashboardAsset", "signIn"};
  for (const Route& route : AllRoutes({})) {
    EXPECT_EQ(route.admits == Admits::kEverybody, open.contains(route.operation))
        << route.operation;
  }
}

}  // namespace
}  // namespace cordon::serve
