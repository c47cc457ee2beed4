// The schema and the reference say what the parser does.
#include <gtest/gtest.h>

#include <boost/json/src.hpp>
#include <set>
#include <string>

#include "cordon/operation.h"
#include "policy/config.h"
#include "policy/config_keys.h"
#include "policy/profile.h"

namespace cordon::policy {
namespace {

namespace json = boost::json;

json::object Schema() {
  json::error_code error;
  const json::value value = json::parse(ConfigSchema(), error);
  EXPECT_FALSE(error) << error.message();
  return value.is_object() ? value.as_object() : json::object();
}

// A value in TOML of the key's type.
std::string Sample(const KeyDeclaration& key) {
  const std::string text =
      "\"" + std::string(key.allowed.empty() ? "/x" : key.allowed.front()) + "\"";
  switch (key.type) {
    case KeyType::kString: return text;
    case KeyType::kBoolean: return "true";
    case KeyType::kStringArray: return key.name == "except" ? "[\"x\"]" : "[" + text + "]";
    case KeyType::kTableArray:
      if (key.name == "command") return R"([{action = "deny", program = "x"}])";
      return key.name == "deny" ? "[{pattern = \"x\"}]" : R"([{name = "x", level = "deny"}])";
  }
  return "";
}

TEST(ConfigSchemaTest, IsJsonSchemaOfExactlyTheDeclaredKeys) {
  const json::object schema = Schema();
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema.at("type"), "object");
  EXPECT_EQ(schema.at("additionalProperties"), false);
  const json::object& properties = schema.at("properties").as_object();
  EXPECT_EQ(properties.size(), ConfigKeys().size());
  for (const KeyDeclaration& key : ConfigKeys()) {
    ASSERT_TRUE(properties.contains(key.name)) << key.name;
    EXPECT_EQ(std::string_view(properties.at(key.name).at("description").as_string()),
              key.description);
  }
  const json::object& deny = properties.at("deny").at("items").as_object();
  EXPECT_EQ(deny.at("required"), json::array({"pattern"}));
  EXPECT_EQ(deny.at("additionalProperties"), false);
  EXPECT_EQ(deny.at("properties").as_object().size(), DenyKeys().size());
  EXPECT_EQ(properties.at("roots").at("minItems"), 1);
  EXPECT_EQ(properties.at("profile").at("allOf").at(0).at("enum").as_array().size(), 4U);
}

TEST(ConfigSchemaTest, EveryDeclaredKeyIsReadAndScopedAsDeclared) {
  for (const KeyDeclaration& key : ConfigKeys()) {
    const std::string text = std::string(key.name) + " = " + Sample(key);
    EXPECT_TRUE(ParseConfig(text, "f", ConfigScope::kOperator)) << text;
    EXPECT_EQ(ParseConfig(text, "f", ConfigScope::kWorkspace).has_value(),
              key.scope != KeyScope::kOperator)
        << text;
  }
  for (const KeyDeclaration& key : DenyKeys()) {
    std::string text = "[[deny]]\n" + std::string(key.name) + " = " + Sample(key);
    if (key.name != "pattern") text += "\npattern = \"x\"";
    EXPECT_TRUE(ParseConfig(text, "f", ConfigScope::kWorkspace)) << text;
  }
}

TEST(ConfigSchemaTest, ToolRulesAreReadAndCheckedAsDeclared) {
  const auto parse = [](const std::string& text) {
    return ParseConfig(text, "f", ConfigScope::kWorkspace);
  };
  const Result<Config> config = parse(
      "[[tool]]\nname = \"write\"\nlevel = \"always\"\n[[tool]]\nlevel = \"deny\"\nname = \"a\"");
  ASSERT_TRUE(config);
  ASSERT_EQ(config->tools.size(), 2U);
  EXPECT_EQ(config->tools[0].name, "write");
  EXPECT_EQ(config->tools[0].level, ToolLevel::kAlways);
  EXPECT_EQ(config->tools[1].level, ToolLevel::kDeny);
  EXPECT_EQ(config->tools[1].origin, "f:4");
  for (const char* wrong :
       {"[[tool]]\nname = \"a\"", "[[tool]]\nlevel = \"deny\"",
        "[[tool]]\nname = \"a\"\nlevel = \"maybe\"", "[[tool]]\nname = \"\"\nlevel = \"deny\"",
        "[[tool]]\nname = \"a\"\nlevel = \"deny\"\n[[tool]]\nname = \"a\"\nlevel = \"allow\"",
        "[[tool]]\nname = \"a\"\nlevel = \"deny\"\npath = \"x\"", "tool = \"a\""}) {
    EXPECT_FALSE(parse(wrong)) << wrong;
  }
  for (int i = 0; i < 4; ++i) {
    const std::string name(ToolLevelName(static_cast<ToolLevel>(i)));
    EXPECT_TRUE(parse("[[tool]]\nname = \"a\"\nlevel = \"" + name + "\"")) << name;
  }
}

TEST(ConfigSchemaTest, AllowedValuesAreThoseTheProgramKnows) {
  std::set<std::string_view> profiles;
  for (int i = 0; i < 4; ++i) profiles.insert(ProfileName(static_cast<Profile>(i)));
  std::set<std::string_view> operations;
  for (int i = 0; i < 8; ++i) operations.insert(OperationName(static_cast<Operation>(i)));
  const auto allowed = [](const KeyDeclaration& key) {
    return std::set<std::string_view>(key.allowed.begin(), key.allowed.end());
  };
  for (const KeyDeclaration& key : ConfigKeys()) {
    if (key.name != "profile") continue;
    EXPECT_EQ(allowed(key), profiles);
  }
  for (const KeyDeclaration& key : DenyKeys()) {
    if (key.name != "operations") continue;
    EXPECT_EQ(allowed(key), operations);
  }
}

TEST(ConfigSchemaTest, TheReferenceHasARowForEveryKey) {
  const std::string reference = ConfigReference();
  for (const auto& keys : {ConfigKeys(), DenyKeys(), ToolKeys(), CommandKeys()}) {
    for (const KeyDeclaration& key : keys) {
      EXPECT_NE(reference.find("\n| `" + std::string(key.name) + "` | "), std::string::npos)
          << key.name;
    }
  }
}

}  // namespace
}  // namespace cordon::policy
