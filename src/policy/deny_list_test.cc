#include "policy/deny_list.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "policy/pattern.h"

namespace cordon::policy {
namespace {

using path::NameRules;

constexpr NameRules kAnyCase = NameRules::kAll;
constexpr NameRules kIgnoring = NameRules::kHfs | NameRules::kLinuxFold;

DenyList Make(std::vector<DenyRule> rules) {
  Result<DenyList> list = DenyList::Compile(std::move(rules));
  EXPECT_TRUE(list) << list.error().detail;
  return list ? std::move(*list) : DenyList();
}

DenyRule Rule(std::string pattern, std::vector<std::string> except = {}) {
  DenyRule rule;
  rule.pattern = std::move(pattern);
  rule.except = std::move(except);
  return rule;
}

// All suspects of a path, together.
NameRules When(const DenyList::Verdict& verdict) {
  NameRules when = NameRules::kExact;
  for (const DenyList::Match& match : verdict.suspects) when = when | match.when;
  return when;
}

TEST(DenyListTest, DefaultRulesDeny) {
  const DenyList list = Make(DefaultDenyRules());
  struct Case {
    std::string_view path;
    std::string_view pattern;
    std::size_t component;
  };
  for (const Case& c : std::vector<Case>{
           {".env", ".env", 0},
           {"a/.env", ".env", 1},
           {"./a//.env", ".env", 1},
           {".env/", ".env", 0},
           {".env/below", ".env", 0},
           {".env.local", ".env.*", 0},
           {".env.", ".env.*", 0},
           {".env.EXAMPLE", ".env.*", 0},
           {".env.example.bak", ".env.*", 0},
           {".env.example:x", ".env.*", 0},
           {".git", ".git", 0},
           {".git/config", ".git", 0},
           {".git/../plain", ".git", 0},
           {"a/../.git", ".git", 2},
           {"../.ssh/id_rsa", ".ssh", 1},
           {".env.example/.ssh", ".ssh", 1},
       }) {
    for (int i = 0; i < 8; ++i) {
      const DenyList::Verdict verdict = list.Check(c.path, static_cast<Operation>(i));
      ASSERT_TRUE(verdict.denied) << c.path;
      EXPECT_TRUE(verdict.suspects.empty()) << c.path;
      EXPECT_EQ(verdict.denied->rule->pattern, c.pattern) << c.path;
      EXPECT_EQ(verdict.denied->component, c.component) << c.path;
      EXPECT_EQ(verdict.denied->when, NameRules::kExact);
      EXPECT_GE(verdict.denied->name.data(), c.path.data());
    }
  }
}

TEST(DenyListTest, DefaultRulesLeaveOrdinaryNamesAlone) {
  const DenyList list = Make(DefaultDenyRules());
  for (const std::string_view path : {"",
                                      ".",
                                      "..",
                                      "/",
                                      "a",
                                      "src/main.cc",
                                      "env",
                                      "envs/.environment",
                                      ".envrc",
                                      ".gitignore",
                                      ".github/workflows",
                                      ".gitmodules",
                                      "git",
                                      "x.git",
                                      "file..txt",
                                      "..foo",
                                      "a b",
                                      ".sshd",
                                      "日本語",
                                      "\xff\xfe",
                                      ".env.example",
                                      ".env.sample",
                                      ".env.template",
                                      ".ENV.EXAMPLE",
                                      ".Env.Sample",
                                      "README.md",
                                      "Makefile.",
                                      "a:b",
                                      "0~x.js",
                                      "GITHUB~1",
                                      "README~1.MD",
                                      "caf\u00e9/x",
                                      ".en",
                                      "v.env",
                                      "...",
                                      ".env.example/x"}) {
    const DenyList::Verdict verdict = list.Check(path, Operation::kRead);
    EXPECT_TRUE(verdict.clear()) << path << " "
                                 << (verdict.denied ? verdict.denied->rule->pattern : "suspect");
  }
}

TEST(DenyListTest, OtherSpellingsAreSuspectWhereTheyAreOneName) {
  const DenyList list = Make(DefaultDenyRules());
  struct Case {
    std::string_view path;
    NameRules when;
    std::size_t component;
  };
  for (const Case& c : std::vector<Case>{
           {".GIT", kAnyCase, 0},
           {"a/.Git/config", kAnyCase, 1},
           {".ENV", kAnyCase, 0},
           {".Env.Local", kAnyCase, 0},
           {".\u017fsh/id_rsa", kAnyCase, 0},
           {"GIT~1", NameRules::kNtfs, 0},
           {"git~1/config", NameRules::kNtfs, 0},
           {"x/git~1 . /config", NameRules::kNtfs, 1},
           {"ENV~1.LOC", NameRules::kNtfs, 0},
           {"SSH~1/id_rsa", NameRules::kNtfs, 0},
           {".git.", NameRules::kNtfs, 0},
           {".git ", NameRules::kNtfs, 0},
           {".git . . .", NameRules::kNtfs, 0},
           {".git::$DATA", NameRules::kNtfs, 0},
           {".git...:alternate-stream", NameRules::kNtfs, 0},
           {".git:$I30:$INDEX_ALLOCATION/config", NameRules::kNtfs, 0},
           {".env:stream", NameRules::kNtfs, 0},
           {".g\u200cit", kIgnoring, 0},
           {"\u206e.git/config", kIgnoring, 0},
           {".git\u202c/config", kIgnoring, 0},
           {".e\u200cnv", kIgnoring, 0},
           {".env\ufeff", kIgnoring, 0},
           {".G\u200cIT", kIgnoring, 0},
           {".g\u200cit.", NameRules::kAll, 0},  // needs two rules: refused wherever one holds
       }) {
    const DenyList::Verdict verdict = list.Check(c.path, Operation::kRead);
    EXPECT_FALSE(verdict.denied) << c.path;
    ASSERT_FALSE(verdict.suspects.empty()) << c.path;
    EXPECT_EQ(When(verdict), c.when) << c.path;
    for (const DenyList::Match& match : verdict.suspects) EXPECT_EQ(match.component, c.component);
  }
}

TEST(DenyListTest, SuspectsOfPatternsInAnyCase) {
  const DenyList list = Make({Rule("Secrets"), Rule("*.PEM"), Rule("*middle*"), Rule("\u017fo")});
  struct Case {
    std::string_view path;
    bool denied;
    bool suspect;
  };
  for (const Case& c : std::vector<Case>{
           {"Secrets", true, false},
           {"secrets", false, true},
           {"SECRETS/x", false, true},
           {"a.PEM", true, false},
           {"a.pem", false, true},
           {"a.Pem", false, true},
           {"a.pe", false, false},
           {"xMIDDLEx", false, true},
           {"xmiddlex", true, false},
           {"so", false, true},
           {"\u017fo", true, false},
           {"caf\u00e9.pem", false, true},
           {"cafe.pfm", false, false},
       }) {
    const DenyList::Verdict verdict = list.Check(c.path, Operation::kRead);
    EXPECT_EQ(verdict.denied.has_value(), c.denied) << c.path;
    EXPECT_EQ(!verdict.suspects.empty(), c.suspect) << c.path;
  }
}

TEST(DenyListTest, AnchoredRules) {
  const DenyList list = Make({Rule("config/prod/*.key", {"public.key"}), Rule("/top"),
                              Rule("data/**/x"), Rule("vault/**", {"README"})});
  struct Case {
    std::string_view path;
    bool denied;
    bool suspect;
  };
  for (const Case& c : std::vector<Case>{
           {"config/prod/a.key", true, false},
           {"config/prod/a.key/below", true, false},
           {"./config//prod/./a.key", true, false},
           {"config/x/../prod/a.key", true, false},
           {"x/../config/prod/a.key", true, false},
           {"config/prod/a.key/../../..", true, false},
           {"config/prod/public.key", false, false},
           {"config/prod/PUBLIC.KEY", false, false},
           {"config/prod/public.key.key", true, false},
           {"x/config/prod/a.key", false, false},
           {"config/prod", false, false},
           {"config/prod/a.txt", false, false},
           {"CONFIG/prod/a.key", false, true},
           {"config/prod/a.KEY", false, true},
           {"config/PROD/a.KEY", false, true},
           {"x/../Config/prod/a.key", false, true},
           {"CONFIG/prod/a.txt", false, false},
           {"config/prod./a.key", false, true},
           {"CONFIG~1/prod/a.key", false, true},
           {"top/../config/x", true, false},
           {"vault/../src/x", false, false},
           {"TOP/../src", false, true},
           {"../top", true, false},
           {"top", true, false},
           {"top/x", true, false},
           {"a/top", false, false},
           {"TOP", false, true},
           {"data/x", true, false},
           {"data/a/b/x", true, false},
           {"data/a/b", false, false},
           {"data/a/../../x", false, false},
           {"vault", false, false},
           {"vault/a", true, false},
           {"vault/README", false, false},
           {"vault/a/README", true, false},
       }) {
    const DenyList::Verdict verdict = list.Check(c.path, Operation::kRead);
    EXPECT_EQ(verdict.denied.has_value(), c.denied) << c.path;
    EXPECT_EQ(!verdict.suspects.empty(), c.suspect) << c.path;
  }
  const DenyList::Verdict verdict = list.Check("x/../Config/prod/a.key", Operation::kRead);
  for (const DenyList::Match& match : verdict.suspects) {
    EXPECT_EQ(match.component, 2U);
    EXPECT_EQ(match.name, "Config");
  }
}

TEST(DenyListTest, OperationsSelectAndRenameIsAlwaysRefused) {
  DenyRule name = Rule("locked");
  name.operations = OperationSet().set(static_cast<std::size_t>(Operation::kWrite));
  DenyRule anchored = Rule("a/locked2");
  anchored.operations = name.operations;
  const DenyList list = Make({name, anchored});
  for (int i = 0; i < 8; ++i) {
    const auto operation = static_cast<Operation>(i);
    const bool denied = operation == Operation::kWrite || operation == Operation::kRename;
    EXPECT_EQ(list.Check("locked", operation).denied.has_value(), denied) << i;
    EXPECT_EQ(list.Check("a/locked2", operation).denied.has_value(), denied) << i;
    EXPECT_EQ(list.Check("LOCKED", operation).clear(), !denied) << i;
  }
}

TEST(DenyListTest, CoversBelow) {
  const DenyList list =
      Make({Rule("config/prod/*.key"), Rule("**/.docker/config.json"), Rule("name-rule")});
  struct Case {
    std::string_view path;
    bool covers;
  };
  for (const Case& c : std::vector<Case>{
           {"", true},
           {"config", true},
           {"config/prod", true},
           {"config/prod/a.key", true},
           {"config/prod/a.key/b", true},
           {"config/prod/a.txt", false},
           {"config/dev", false},
           {"x", false},
           {"x/config", false},
           {"x/../config", true},
           {"CONFIG", true},
           {"x/.docker", true},
           {".docker", true},
           {"x/.docker/y", false},
           {"name-rule", false},  // wherever it is moved, the rule goes with it
       }) {
    EXPECT_EQ(list.CoversBelow(c.path, Operation::kRename), c.covers) << c.path;
  }
  DenyRule read_only = Rule("config/prod/*.key");
  read_only.operations = OperationSet().set(static_cast<std::size_t>(Operation::kRead));
  const DenyList reads = Make({read_only});
  EXPECT_TRUE(reads.CoversBelow("config", Operation::kRename));
  EXPECT_FALSE(reads.CoversBelow("config", Operation::kDelete));
  EXPECT_FALSE(Make({Rule("**/a")}).CoversBelow("", Operation::kRename));
}

TEST(DenyListTest, EmptyListDeniesNothing) {
  EXPECT_TRUE(DenyList().Check(".git", Operation::kRead).clear());
  EXPECT_FALSE(DenyList().CoversBelow("", Operation::kRename));
  EXPECT_TRUE(DenyList().rules().empty());
  EXPECT_TRUE(Make({}).Check(".git", Operation::kRead).clear());
}

TEST(DenyListTest, BadRulesAreRefused) {
  const std::vector<std::string> bad{"",
                                     ".",
                                     "..",
                                     "a/",
                                     "/",
                                     "//a",
                                     "a//b",
                                     "a/../b",
                                     "a/./b",
                                     "[a",
                                     "[]",
                                     "[a/b]",
                                     "a\\",
                                     "[z-a]",
                                     "[!]",
                                     "[a-",
                                     std::string("a\0b", 3)};
  for (const std::string& pattern : bad) {
    const Result<DenyList> list = DenyList::Compile({Rule(pattern)});
    ASSERT_FALSE(list) << pattern;
    EXPECT_EQ(list.error().code, ErrorCode::kInvalidArguments);
    EXPECT_EQ(list.error().component, pattern);
    EXPECT_FALSE(list.error().detail.empty());
  }
  for (const std::string& pattern :
       {std::string(kMaxPatternBytes + 1, 'a'), std::string(200, 'a') + "/b"}) {
    const bool long_one = pattern.size() > kMaxPatternBytes;
    EXPECT_EQ(DenyList::Compile({Rule(pattern)}).has_value(), !long_one);
  }
  std::string deep = "a";
  for (int i = 0; i < 60; ++i) deep += "/a";
  EXPECT_FALSE(DenyList::Compile({Rule(deep)}));
  for (const char* except : {"", "a/b", "*", "a?", "[a]", "a\\"}) {
    EXPECT_FALSE(DenyList::Compile({Rule("x*", {std::string(except)})})) << except;
  }
}

TEST(DenyListTest, BuiltInRulesCompileAndHaveReasons) {
  for (const auto& rules : {DefaultDenyRules(), CredentialDenyRules()}) {
    const DenyList list = Make(rules);
    for (const DenyRule& rule : list.rules()) {
      EXPECT_FALSE(rule.reason.empty()) << rule.pattern;
      EXPECT_FALSE(rule.origin.empty()) << rule.pattern;
      EXPECT_TRUE(rule.operations.all()) << rule.pattern;
    }
  }
}

TEST(DenyListTest, CredentialRules) {
  const DenyList list = Make(CredentialDenyRules());
  for (const std::string_view path :
       {"id_rsa", "keys/server.pem", "tls/server.key", ".netrc", "web/.npmrc", ".aws/credentials",
        "home/.docker/config.json", ".docker/config.json", "x/.kube/config", "prod.tfstate",
        "prod.tfstate.backup", "safe.kdbx", ".config/gh/hosts.yml", "service-account-prod.json"}) {
    EXPECT_TRUE(list.Check(path, Operation::kRead).denied) << path;
  }
  for (const std::string_view path :
       {"id_rsa.pub", "pem", "key", "src/key.cc", ".docker/Dockerfile", "docker/config.json",
        "main.tf", "src/monkey", "package.json", "config.json", "keys/README.md"}) {
    EXPECT_TRUE(list.Check(path, Operation::kRead).clear()) << path;
  }
}

}  // namespace
}  // namespace cordon::policy
