// grep and glob: every parameter, limits, what is never told.
#include <fcntl.h>
#include <sys/stat.h>

#include <tuple>

#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class Searches : public ToolTest {
 protected:
  Searches() {
    for (const char* path : {"w/src", "w/src/deep", "w/skipped"}) {
      EXPECT_TRUE(std::filesystem::create_directories(At(path)));
    }
    WriteFile(At("w/src/main.cc"), "int main() {\n  return Foo(1);\n}\n");
    WriteFile(At("w/src/foo.h"), "// foo\nint Foo(int);\n");
    WriteFile(At("w/src/deep/foo.cc"), "int Foo(int x) {\n  return x;  // foo\n}\n");
    WriteFile(At("w/notes.txt"), "foo bar\nFOO BAR\n");
    WriteFile(At("w/.hidden"), "foo\n");
    WriteFile(At("w/.ignore"), "skipped/\n*.log\n");
    WriteFile(At("w/skipped/foo.cc"), "foo\n");
    WriteFile(At("w/trace.log"), "foo\n");
    WriteFile(At("w/.env"), "foo=secret\n");
    EXPECT_EQ(::symlink("../o", At("w/out").c_str()), 0);
    EXPECT_EQ(::symlink("src", At("w/in").c_str()), 0);
  }
  // "path:line" of each line, "path-line" of context; or the code.
  std::string Lines(std::string_view arguments) {
    const tools::Outcome outcome = Call("grep", arguments);
    if (!outcome) return CodeOf(outcome);
    std::string lines;
    for (const json::value& value : outcome->data.at("lines").as_array()) {
      const json::object& line = value.as_object();
      if (!lines.empty()) lines += " ";
      lines += std::string(line.at("path").as_string()) + (line.contains("context") ? "-" : ":") +
               std::to_string(line.at("line").to_number<int>());
    }
    return lines;
  }
  std::string Files(std::string_view arguments) {
    const tools::Outcome outcome = Call("grep", arguments);
    if (!outcome) return CodeOf(outcome);
    std::string files;
    for (const json::value& value : outcome->data.at("files").as_array()) {
      const json::object& file = value.as_object();
      if (!files.empty()) files += " ";
      files += std::string(file.at("path").as_string());
      if (file.contains("matches"))
        files += ":" + std::to_string(file.at("matches").to_number<int>());
    }
    return files;
  }
  std::string Globbed(std::string_view arguments) {
    const tools::Outcome outcome = Call("glob", arguments);
    if (!outcome) return CodeOf(outcome);
    std::string paths;
    for (const json::value& value : outcome->data.at("matches").as_array()) {
      if (!paths.empty()) paths += " ";
      paths += std::string(value.as_object().at("path").as_string());
    }
    return paths;
  }
};

TEST_F(Searches, GrepTellsLines) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"pattern": "Foo"})", "src/deep/foo.cc:1 src/foo.h:2 src/main.cc:2"},
      {R"({"pattern": "foo"})", "notes.txt:1 src/deep/foo.cc:2 src/foo.h:1"},
      {R"({"pattern": "foo", "case": "insensitive", "path": "notes.txt"})",
       "notes.txt:1 notes.txt:2"},
      {R"({"pattern": "foo bar", "case": "smart"})", "notes.txt:1 notes.txt:2"},
      {R"({"pattern": "Foo bar", "case": "smart"})", ""},
      {R"({"pattern": "Foo(", "mode": "literal"})", "src/deep/foo.cc:1 src/foo.h:2 src/main.cc:2"},
      {R"({"pattern": "Foo("})", "INVALID_ARGUMENTS"},
      {R"({"pattern": ""})", "INVALID_ARGUMENTS"},
      {R"({"pattern": "x", "mode": "perl"})", "INVALID_ARGUMENTS"},
      {R"({"pattern": "x", "include": ["["]})", "INVALID_ARGUMENTS"},
      {R"({"pattern": "x", "limit": 0})", "INVALID_ARGUMENTS"},
      {R"({"pattern": "Foo", "include": ["*.h"]})", "src/foo.h:2"},
      {R"({"pattern": "Foo", "exclude": ["*.h", "deep"]})", "src/main.cc:2"},
      {R"({"pattern": "Foo", "path": "src/deep"})", "src/deep/foo.cc:1"},
      {R"({"pattern": "Foo", "path": "in/deep"})", "in/deep/foo.cc:1"},
      {R"({"pattern": "return Foo", "context": 1})", "src/main.cc-1 src/main.cc:2 src/main.cc-3"},
      {R"({"pattern": "\\{\\s+return", "multiline": true})",
       "src/deep/foo.cc:1 src/deep/foo.cc:2 src/main.cc:1 src/main.cc:2"},
      {R"({"pattern": "Foo", "limit": 1})", "src/deep/foo.cc:1"},
      {R"({"pattern": "Foo", "limit": 1, "offset": 1})", "src/foo.h:2"},
      {R"({"pattern": "Foo", "offset": 3})", ""},
      {R"({"pattern": "foo", "include_hidden": true, "include": [".*"]})", ".hidden:1"},
      {R"({"pattern": "foo", "respect_gitignore": false, "path": "skipped"})", "skipped/foo.cc:1"},
      {R"({"pattern": "secret", "include_hidden": true, "respect_gitignore": false})", ""},
      {R"({"pattern": "secret", "path": ".env"})", "PATH_DENIED"},
      {R"({"pattern": "x", "path": "out"})", "PATH_OUTSIDE_PROJECT"},
      {R"({"pattern": "x", "path": "nowhere"})", "NOT_FOUND"},
  };
  for (const auto& [arguments, lines] : cases) EXPECT_EQ(Lines(arguments), lines) << arguments;
}

TEST_F(Searches, GrepTellsFilesAndCounts) {
  EXPECT_EQ(Files(R"({"pattern": "Foo", "output": "files"})"),
            "src/deep/foo.cc src/foo.h src/main.cc");
  EXPECT_EQ(Files(R"({"pattern": "(?i)foo", "output": "count"})"),
            "notes.txt:2 src/deep/foo.cc:2 src/foo.h:2 src/main.cc:1");
  EXPECT_EQ(Files(R"({"pattern": "(?i)foo", "output": "count", "limit": 1, "offset": 1})"),
            "src/deep/foo.cc:2");
}

TEST_F(Searches, PagesSayHowToGoOn) {
  const tools::Outcome page = Call("grep", R"({"pattern": "Foo", "limit": 2})");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->data.at("truncated").as_bool());
  EXPECT_EQ(page->data.at("next_offset").to_number<int>(), 2);
  EXPECT_THAT(page->text, HasSubstr("offset 2"));
  const tools::Outcome last = Call("grep", R"({"pattern": "Foo", "limit": 3})");
  ASSERT_TRUE(last);
  EXPECT_FALSE(last->data.at("truncated").as_bool());
  EXPECT_FALSE(last->data.contains("next_offset"));
}

TEST_F(Searches, LongLinesAreCut) {
  WriteFile(At("w/long"), "needle " + std::string(10'000, 'x') + "\n");
  const tools::Outcome found = Call("grep", R"({"pattern": "needle"})");
  ASSERT_TRUE(found);
  const json::object& line = found->data.at("lines").as_array().at(0).as_object();
  EXPECT_EQ(line.at("text").as_string().size(), 2000u);
  EXPECT_TRUE(line.at("cut").as_bool());
}

TEST_F(Searches, GlobFindsByPattern) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"pattern": "**/*.cc", "sort": "path"})", "src/deep/foo.cc src/main.cc"},
      {R"({"pattern": "src/*.{h,cc}", "sort": "path"})", "src/foo.h src/main.cc"},
      {R"({"pattern": "*.txt"})", "notes.txt"},
      {R"({"pattern": "./*.txt"})", "notes.txt"},
      {R"({"pattern": "*.cc"})", ""},
      {R"({"pattern": "*.cc", "path": "src"})", "src/main.cc"},
      {R"({"pattern": "**/*.log", "respect_gitignore": false})", "trace.log"},
      {R"({"pattern": ".*", "include_hidden": true, "sort": "path"})", ".hidden .ignore"},
      {R"({"pattern": "[mn]*", "sort": "path"})", "notes.txt"},
      {R"({"pattern": "in/**"})", ""},
      {R"({"pattern": "out/**"})", ""},
      {R"({"pattern": "{a"})", "INVALID_ARGUMENTS"},
      {R"({"pattern": "*", "path": "out"})", "PATH_OUTSIDE_PROJECT"},
      {R"({"pattern": "*", "path": ".env"})", "PATH_DENIED"},
  };
  for (const auto& [arguments, paths] : cases) EXPECT_EQ(Globbed(arguments), paths) << arguments;
}

TEST_F(Searches, GlobTellsTheNewestFirst) {
  const auto age = [&](const char* path, int seconds) {
    const timespec times[2] = {{1'700'000'000 - seconds, 0}, {1'700'000'000 - seconds, 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, At(path).c_str(), times, 0), 0);
  };
  age("w/src/main.cc", 10);
  age("w/src/foo.h", 0);
  age("w/src/deep/foo.cc", 5);
  EXPECT_EQ(Globbed(R"({"pattern": "src/**"})"), "src/foo.h src/deep/foo.cc src/main.cc");
  const tools::Outcome one = Call("glob", R"({"pattern": "src/**", "limit": 1})");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->data.at("total").to_number<int>(), 3);
  EXPECT_TRUE(one->data.at("truncated").as_bool());
  EXPECT_THAT(one->text, HasSubstr("2 of 3 files left out"));
}

TEST_F(Searches, TheTextIsTheSameWithoutTheData) {
  WriteFile(At("w/latin"), "foo \xE9\xFF bar\n" + std::string(3000, 'f') + "foo\n");
  WriteFile(At("w/na\xFFme\x1b"), "foo\n");
  for (const auto& [tool, arguments, list] : {
           std::tuple("grep", R"({"pattern": "foo", "context": 1})", "lines"),
           std::tuple("grep", R"({"pattern": "foo", "limit": 2})", "lines"),
           std::tuple("grep", R"({"pattern": "foo", "output": "files"})", "files"),
           std::tuple("grep", R"({"pattern": "foo", "output": "count"})", "files"),
           std::tuple("grep", R"({"pattern": "nowhere"})", "lines"),
           std::tuple("glob", R"({"pattern": "**", "sort": "path"})", "matches"),
           std::tuple("glob", R"({"pattern": "**", "limit": 1})", "matches"),
       }) {
    options_.wanted = tools::Wanted::kDataAndText;
    const tools::Outcome whole = Call(tool, arguments);
    options_.wanted = tools::Wanted::kText;
    const tools::Outcome text = Call(tool, arguments);
    ASSERT_TRUE(whole && text) << arguments;
    EXPECT_EQ(text->text, whole->text) << arguments;
    EXPECT_TRUE(text->data.at(list).as_array().empty()) << arguments;
  }
}

TEST_F(Searches, AStoppedCallTellsNothing) {
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  EXPECT_EQ(CallCode("grep", R"({"pattern": "foo"})"), "TIMEOUT");
  EXPECT_EQ(CallCode("glob", R"({"pattern": "**"})"), "TIMEOUT");
}

TEST_F(Searches, OneRecordEach) {
  const std::size_t before = recorder_->records().size();
  EXPECT_EQ(CallCode("grep", R"({"pattern": "foo", "path": "in"})"), "done");
  ASSERT_EQ(recorder_->records().size(), before + 1);
  EXPECT_EQ(Records(audit::Event::kFileRead).back().resolved, At("w/src"));
  EXPECT_EQ(CallCode("glob", R"({"pattern": "**"})"), "done");
  EXPECT_EQ(recorder_->records().size(), before + 2);
}

}  // namespace
}  // namespace cordon::testing
