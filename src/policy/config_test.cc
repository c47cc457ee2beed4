#include "policy/config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::policy {
namespace {

Result<Config> Operator(std::string_view text) {
  return ParseConfig(text, "c.toml", ConfigScope::kOperator);
}
Result<Config> Workspace(std::string_view text) {
  return ParseConfig(text, ".cordon.toml", ConfigScope::kWorkspace);
}

TEST(ConfigTest, EverythingAtOnce) {
  const Result<Config> config = Operator(R"(profile = "strict"
roots = [".", "/srv/w"]
read_only_roots = ["/usr/share/doc"]
data_dir = "/var/lib/x"
read_only = true
deny_sets = ["default", "credentials"]

[[deny]]
pattern = "secrets"

[[deny]]
pattern = "config/**/*.key"
operations = ["read", "write"]
except = ["public.key"]
reason = "keys"
)");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->profile, Profile::kStrict);
  EXPECT_EQ(config->profile_position, "c.toml:1:11");
  EXPECT_EQ(config->roots, (std::vector<std::string>{".", "/srv/w"}));
  EXPECT_EQ(config->read_only_roots, (std::vector<std::string>{"/usr/share/doc"}));
  EXPECT_EQ(config->data_dir, "/var/lib/x");
  EXPECT_EQ(config->read_only, true);
  ASSERT_TRUE(config->deny_sets);
  EXPECT_EQ(*config->deny_sets, (std::vector<std::string>{"default", "credentials"}));
  ASSERT_EQ(config->deny.size(), 2U);
  EXPECT_EQ(config->deny[0].pattern, "secrets");
  EXPECT_TRUE(config->deny[0].operations.all());
  EXPECT_EQ(config->deny[0].origin, "c.toml:8");
  EXPECT_EQ(config->deny[1].pattern, "config/**/*.key");
  EXPECT_EQ(config->deny[1].operations.count(), 2U);
  EXPECT_TRUE(config->deny[1].operations.test(static_cast<std::size_t>(Operation::kRead)));
  EXPECT_TRUE(config->deny[1].operations.test(static_cast<std::size_t>(Operation::kWrite)));
  EXPECT_EQ(config->deny[1].except, (std::vector<std::string>{"public.key"}));
  EXPECT_EQ(config->deny[1].reason, "keys");
  EXPECT_EQ(config->deny[1].origin, "c.toml:11");
}

TEST(ConfigTest, NothingIsMentionedInAnEmptyFile) {
  for (const std::string_view text : {"", "\n", "# a comment", "\xEF\xBB\xBF", "\r\n\r\n"}) {
    for (const ConfigScope scope : {ConfigScope::kOperator, ConfigScope::kWorkspace}) {
      const Result<Config> config = ParseConfig(text, "f", scope);
      ASSERT_TRUE(config) << config.error().detail;
      EXPECT_FALSE(config->profile);
      EXPECT_TRUE(config->roots.empty());
      EXPECT_TRUE(config->read_only_roots.empty());
      EXPECT_FALSE(config->data_dir);
      EXPECT_FALSE(config->deny_sets);
      EXPECT_TRUE(config->deny.empty());
      EXPECT_FALSE(config->read_only);
    }
  }
}

TEST(ConfigTest, ByteOrderMarkAndCarriageReturnsAreFine) {
  const Result<Config> config =
      Operator("\xEF\xBB\xBFprofile = \"compat\"\r\n[[deny]]\r\npattern = \"a\"\r\n");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->profile, Profile::kCompat);
  ASSERT_EQ(config->deny.size(), 1U);
  EXPECT_EQ(config->deny[0].pattern, "a");
}

TEST(ConfigTest, EmptyListsThatMeanSomething) {
  const Result<Config> config = Operator("deny_sets = []\nread_only_roots = []\ndeny = []");
  ASSERT_TRUE(config) << config.error().detail;
  ASSERT_TRUE(config->deny_sets);
  EXPECT_TRUE(config->deny_sets->empty());
}

struct Mistake {
  std::string_view text;
  std::string_view position;  // LINE:COLUMN
  std::string_view says;      // part of the message
};

void ExpectMistake(const Mistake& mistake, ConfigScope scope) {
  const Result<Config> config = ParseConfig(mistake.text, "dir/c.toml", scope);
  ASSERT_FALSE(config) << mistake.text;
  const Error& error = config.error();
  EXPECT_EQ(error.code, ErrorCode::kInvalidArguments);
  const std::string start = "dir/c.toml:" + std::string(mistake.position) + ": ";
  EXPECT_TRUE(error.detail.starts_with(start)) << mistake.text << "\n" << error.detail;
  EXPECT_NE(error.detail.find(mistake.says), std::string::npos) << mistake.text << "\n"
                                                                << error.detail;
  EXPECT_EQ(error.detail.find('\n'), std::string::npos) << error.detail;
}

TEST(ConfigTest, EveryMistakeHasItsPlace) {
  for (const Mistake& mistake : std::vector<Mistake>{
           // Not TOML.
           {"profile", "1:8", ""},
           {"profile = \"strict\"\nprofile = \"strict\"", "2:11", "redefine"},
           {"a = 'x", "1:7", ""},
           {"profile = \"\xff\"", "1:12", "not UTF-8"},
           {"\n# \u00e9\u00e9\xC3", "2:5", "not UTF-8"},
           {"read_only = tr\nx", "1:15", "saw 'tr\\n'"},
           {"profile =99j\u01fc9g", "1:12", "expected digit"},
           {"\u00e9 = 1", "1:1", ""},
           {"[[[deny]]]", "1:3", "'['"},
           {"[[ =deny]]", "1:4", "'='"},
           // Keys.
           {"rots = [\".\"]", "1:1", "unknown key \"rots\"; did you mean \"roots\"?"},
           {"# c\n  read-only = true", "2:3", "did you mean \"read_only\"?"},
           {"zzz = 1", "1:1", "Known are \"profile\", \"roots\""},
           {"\"a\\nb\" = 1", "1:1", "unknown key \"a\\nb\""},
           {"[denny]\npattern = 'x'", "1:2", "did you mean \"deny\"?"},
           {"[[deny]]\npatern = \"a\"\npattern = \"b\"", "2:1", "did you mean \"pattern\"?"},
           // Types.
           {"profile = 1", "1:11", "\"profile\" must be a string, not an integer"},
           {"roots = \".\"", "1:9", "\"roots\" must be an array of strings, not a string"},
           {"roots = [\".\", 7]", "1:15", "an element of \"roots\" must be a string"},
           {"read_only = \"yes\"", "1:13", "\"read_only\" must be true or false, not a string"},
           {"data_dir = 2020-01-01", "1:12", "must be a string, not a date"},
           {"deny = \"a\"", "1:8", "write \"[[deny]]\""},
           {"[deny]\npattern = \"a\"", "1:1", "write \"[[deny]]\""},
           {"deny = [1]", "1:9", "must be a table, not an integer"},
           {"[[deny]]\npattern = [\"a\"]", "2:11", "must be a string, not an array"},
           // Values.
           {"profile = \"strikt\"", "1:11", "did you mean \"strict\"?"},
           {"profile = \"Strict\"", "1:11", "\"sandboxed\", \"compat\""},
           {"profile = \"\"", "1:11", "an empty string in \"profile\""},
           {"roots = []", "1:9", "\"roots\" is empty"},
           {"roots = [\n  \".\",\n  \"\"]", "3:3", "an empty string in \"roots\""},
           {"roots = [\"a\", \"b\", \"a\"]", "1:20", "\"a\" stands twice in \"roots\""},
           {"roots = [\"a\\u0000b\"]", "1:10", "a NUL character in \"roots\""},
           {"data_dir = \"\"", "1:12", "an empty string"},
           {"data_dir = \"data\"", "1:12", "must be an absolute path, not \"data\""},
           {"deny_sets = [\"default\", \"credential\"]", "1:25", "did you mean \"credentials\"?"},
           {"deny_sets = [\"default\", \"default\"]", "1:25", "stands twice"},
           // Deny rules.
           {"[[deny]]\nreason = \"x\"", "1:1", "has no \"pattern\""},
           {"deny = [{pattern = \"a\"}, {}]", "1:26", "has no \"pattern\""},
           {"[[deny]]\npattern = \"\"", "2:11", "an empty string in \"pattern\""},
           {"[[deny]]\npattern = \"a/\"", "2:11", "must not end in \"/\""},
           {"[[deny]]\npattern = \"[a\"", "2:11", "is not closed"},
           {"[[deny]]\npattern = \"../a\"", "2:11", "are not names"},
           {"[[deny]]\npattern = \"a\"\noperations = []", "3:14", "\"operations\" is empty"},
           {"[[deny]]\npattern = \"a\"\noperations = [\"read\", \"rite\"]", "3:23",
            "did you mean \"write\"?"},
           {"[[deny]]\npattern = \"a\"\nexcept = [\"b\", \"c/d\"]", "3:16", "one plain name"},
           {"[[deny]]\npattern = \"a\"\nexcept = [\"*\"]", "3:11", "one plain name"},
           {"[[deny]]\npattern = \"a\"\nreason = \"\"", "3:10", "an empty string in \"reason\""},
           // The first of several, as the file stands.
           {"roots = [\"\"]\nprofile = 1\nzzz = 1", "1:10", "an empty string"},
           {"zzz = 1\nprofile = 1", "1:1", "unknown key"},
       }) {
    ExpectMistake(mistake, ConfigScope::kOperator);
  }
}

TEST(ConfigTest, AWorkspaceCanOnlyNarrow) {
  const Result<Config> config =
      Workspace("profile = \"strict\"\nread_only = true\n[[deny]]\npattern = \"a\"");
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->profile, Profile::kStrict);
  EXPECT_EQ(config->read_only, true);
  EXPECT_EQ(config->deny.size(), 1U);
  EXPECT_EQ(config->deny[0].origin, ".cordon.toml:3");
  for (const Mistake& mistake : std::vector<Mistake>{
           {"roots = [\".\"]", "1:1", "can only narrow"},
           {"\nread_only_roots = [\"/\"]", "2:1", "can only narrow"},
           {"data_dir = \"/\"", "1:1", "can only narrow"},
           {"deny_sets = []", "1:1", "can only narrow"},
           {"deny_sets = [\"default\"]", "1:1", "can only narrow"},
           {"read_only = false", "1:13", "can only be true here"},
           {"profil = \"strict\"", "1:1", "did you mean \"profile\"?"},
       }) {
    ExpectMistake(mistake, ConfigScope::kWorkspace);
  }
}

TEST(ConfigTest, DeepNestingIsAnErrorNotACrash) {
  const std::string deep = "a = " + std::string(100000, '[') + std::string(100000, ']');
  const Result<Config> config = Operator(deep);
  ASSERT_FALSE(config);
  EXPECT_TRUE(config.error().detail.starts_with("c.toml:1:")) << config.error().detail;
}

}  // namespace
}  // namespace cordon::policy
