// Every Windows and macOS case of the boundary corpus, through the product's own
// grammars, name rules and deny list, over a tree in memory.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "policy/deny_list.h"
#include "tests/grammar/memory_tree.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;

struct Case {
  std::string id;
  json::object body;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.id; }

std::string Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

std::vector<Case> LoadCases(std::string_view platform) {
  std::ifstream file(CORDON_SOURCE_DIR "/tests/corpus/boundary-cases.json");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const json::value parsed = json::parse(text);
  std::vector<Case> cases;
  for (const json::value& value : parsed.as_array()) {
    const json::object& body = value.as_object();
    if (Text(body, "platform") == platform) cases.push_back({Text(body, "id"), body});
  }
  return cases;
}

std::string TestName(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.id;
  for (char& c : name) {
    if (c == '-' || c == '.') c = '_';
  }
  return name;
}

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

struct System {
  path::Grammar grammar;
  std::string scratch;
  char separator;
};

class Corpus {
 public:
  Corpus(const System& system, const json::object& body)
      : system_(system),
        body_(body),
        roots_{Expand("${ROOT}")},
        deny_(policy::DenyList::Compile(policy::DefaultDenyRules()).value()),
        tree_(path::DefaultNameRules(system.grammar)) {
    boundary_ = {system.grammar, path::DefaultNameRules(system.grammar), roots_, &deny_};
    for (const json::value& value : body.at("setup").as_array()) SetUp(value.as_object());
  }

  void Run() {
    const std::string all = tree_.Describe("");
    const std::string outside = Outside();
    const Result<std::string> result = Act();
    EXPECT_EQ(Outside(), outside);
    if (Text(body_, "expect") == "deny") {
      EXPECT_EQ(tree_.Describe(""), all);
      ASSERT_FALSE(result) << Text(body_, "why");
      CheckKind(result.error(), Text(body_, "kind"));
      return;
    }
    ASSERT_EQ(Text(body_, "expect"), "allow");
    ASSERT_TRUE(result) << result.error().detail << ": " << Text(body_, "why");
    if (body_.contains("content")) {
      EXPECT_EQ(*result, Text(body_, "content"));
    }
    if (body_.contains("creates")) {
      EXPECT_TRUE(tree_.Exists("root/" + Text(body_, "creates")));
      EXPECT_NE(tree_.Describe(""), all);
    }
    if (body_.contains("removes")) {
      EXPECT_FALSE(tree_.Exists("root/" + Text(body_, "removes")));
      EXPECT_NE(tree_.Describe(""), all);
    }
  }

 private:
  std::string Expand(std::string text) const {
    const std::pair<std::string, std::string> variables[] = {
        {"${SCRATCH}", system_.scratch}, {"${ROOT}", system_.scratch + system_.separator + "root"}};
    for (const auto& [name, value] : variables) {
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
        text.replace(at, name.size(), value);
      }
    }
    return text;
  }

  void SetUp(const json::object& step) {
    const std::string op = Text(step, "op");
    const std::string path = Text(step, "path");
    if (op == "dir") {
      tree_.AddDirectory(path);
    } else if (op == "file") {
      tree_.AddFile(path, Text(step, "content"));
    } else if (op == "symlink" || op == "junction") {
      tree_.AddLink(path, Expand(Text(step, "target")));
    } else {
      FAIL() << "unknown step " << op;
    }
  }

  // Everything but "root".
  std::string Outside() const {
    std::string all = tree_.Describe("");
    const std::string root = tree_.Describe("/root");
    const std::size_t at = all.find(root);
    EXPECT_NE(at, std::string::npos);
    return all.erase(at, root.size());
  }

  Result<std::string> Act() {
    const std::string action = Text(body_, "action");
    const std::string path =
        body_.contains("path_hex") ? FromHex(Text(body_, "path_hex")) : Expand(Text(body_, "path"));
    if (action == "read") return tree_.Read(boundary_, path);
    Status status;
    if (action == "create") {
      status = tree_.Create(boundary_, path);
    } else if (action == "list") {
      status = tree_.List(boundary_, path);
    } else if (action == "delete") {
      status = tree_.Delete(boundary_, path);
    } else if (action == "rename") {
      status = tree_.Rename(boundary_, path, Expand(Text(body_, "to")));
    } else {
      ADD_FAILURE() << "unknown action " << action;
    }
    if (!status) return status.error();
    return std::string();
  }

  static void CheckKind(const Error& error, const std::string& kind) {
    SCOPED_TRACE(error.detail);
    if (kind == "escape") {
      EXPECT_EQ(error.code, ErrorCode::kPathOutsideProject);
    } else if (kind == "denylist") {
      EXPECT_EQ(error.code, ErrorCode::kPathDenied);
    } else if (kind == "device") {
      EXPECT_EQ(error.code, ErrorCode::kInvalidPath);
      EXPECT_EQ(error.violation, Violation::kDevice);
    } else if (kind == "name" || kind == "invalid") {
      EXPECT_EQ(error.code, ErrorCode::kInvalidPath);
      EXPECT_NE(error.violation, Violation::kDevice);
    } else if (kind == "noent") {
      EXPECT_EQ(error.code, ErrorCode::kNotFound);
    } else {
      EXPECT_EQ(kind, "policy") << "unknown kind";
    }
  }

  System system_;
  const json::object& body_;
  std::vector<std::string> roots_;
  policy::DenyList deny_;
  MemoryTree tree_;
  policy::TextBoundary boundary_;
};

class WindowsCorpus : public ::testing::TestWithParam<Case> {};
TEST_P(WindowsCorpus, Agrees) {
  Corpus({path::Grammar::kWindows, R"(C:\scratch)", '\\'}, GetParam().body).Run();
}
INSTANTIATE_TEST_SUITE_P(Boundary, WindowsCorpus, ::testing::ValuesIn(LoadCases("windows")),
                         TestName);

class MacosCorpus : public ::testing::TestWithParam<Case> {};
TEST_P(MacosCorpus, Agrees) {
  Corpus({path::Grammar::kMacos, "/tmp/scratch", '/'}, GetParam().body).Run();
}
INSTANTIATE_TEST_SUITE_P(Boundary, MacosCorpus, ::testing::ValuesIn(LoadCases("macos")), TestName);

TEST(Corpus, HoldsCasesForBothSystems) {
  EXPECT_GE(LoadCases("windows").size(), 93U);
  EXPECT_GE(LoadCases("macos").size(), 27U);
}

}  // namespace
}  // namespace cordon::testing
