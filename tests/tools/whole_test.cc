// What tools tell without limits, by pattern, and behind a link: what dialects build on.
#include <unistd.h>

#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class Whole : public ToolTest {
 protected:
  // The paths a listing tells.
  std::string Listed(std::string_view arguments) {
    const tools::Outcome outcome = Call("list_directory", arguments);
    if (!outcome) return CodeOf(outcome);
    std::string paths;
    for (const json::value& entry : outcome->data.at("entries").as_array()) {
      paths += std::string(entry.as_object().at("path").as_string()) + " ";
    }
    return paths;
  }
};

TEST_F(Whole, NothingIsCut) {
  const std::string line(5000, 'x');
  std::string text;
  for (int i = 0; i < 3000; ++i) text += line.substr(0, 40) + "\n";
  text += line + "\n";
  WriteFile(At("w/f"), text);
  const tools::Outcome read = Call("read_file", R"({"path": "f", "whole": true})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->data.at("content").as_string(), text);
  EXPECT_FALSE(read->data.at("truncated").as_bool());
  const tools::Outcome both = Call("read_files", R"({"paths": ["f", "f"], "whole": true})");
  ASSERT_TRUE(both);
  for (const json::value& file : both->data.at("files").as_array()) {
    EXPECT_EQ(file.as_object().at("content").as_string(), text);
  }
}

TEST_F(Whole, TooMuchIsRefusedAndARangeOfItIsNot) {
  WriteFile(At("w/f"), std::string(11u << 20, '\n'));
  EXPECT_EQ(CallCode("read_file", R"({"path": "f", "whole": true})"), "TOO_LARGE");
  EXPECT_EQ(CallCode("read_file", R"({"path": "f", "whole": true, "end_line": 2})"), "done");
  EXPECT_THAT(Told("read_files", R"({"paths": ["f"], "whole": true})"), HasSubstr("TOO_LARGE"));
}

TEST_F(Whole, TextIsTextAndNothingElse) {
  WriteFile(At("w/binary"), std::string("a\0b", 3));
  WriteFile(At("w/latin"), "caf\xe9\n");
  EXPECT_EQ(CallCode("read_file", R"({"path": "binary", "encoding": "text"})"), "NOT_TEXT");
  EXPECT_THAT(Told("read_file", R"({"path": "latin", "encoding": "text"})"), HasSubstr("café"));
  const tools::Outcome media = Call("read_file", R"({"path": "latin", "encoding": "media"})");
  ASSERT_TRUE(media);
  ASSERT_EQ(media->attachments.size(), 1U);
  EXPECT_EQ(media->attachments.front().bytes, "caf\xe9\n");
}

TEST_F(Whole, ListingsByPattern) {
  for (const char* const directory : {"w/t", "w/t/a", "w/t/a/b", "w/t/build"}) {
    ASSERT_TRUE(std::filesystem::create_directory(At(directory)));
  }
  for (const char* const file : {"w/t/x.cc", "w/t/a/x.cc", "w/t/a/b/x.h", "w/t/build/x.cc"}) {
    WriteFile(At(file), "");
  }
  EXPECT_EQ(Listed(R"({"path": "t", "depth": 9, "match": "**/*.cc"})"), "a/x.cc build/x.cc x.cc ");
  EXPECT_EQ(Listed(R"({"path": "t", "depth": 9, "match": "*.{cc,h}"})"), "x.cc ");
  EXPECT_EQ(Listed(R"({"path": "t", "depth": 9, "ignore": ["*.cc"]})"), "a a/b a/b/x.h build ");
  EXPECT_EQ(Listed(R"({"path": "t", "depth": 9, "ignore": ["/*.cc", "build/"]})"),
            "a a/b a/b/x.h a/x.cc ");
  EXPECT_EQ(Listed(R"({"path": "t", "depth": 9, "ignore": ["a/**", "**/build"]})"), "a x.cc ");
  EXPECT_EQ(Listed(R"({"path": "t", "match": "["})"), "INVALID_ARGUMENTS");
}

TEST_F(Whole, ALinkIsFollowedOnlyIfItIsSaidAndOnlyInside) {
  WriteFile(At("w/f"), "12345");
  ASSERT_EQ(::symlink("f", At("w/in").c_str()), 0);
  ASSERT_EQ(::symlink("../outside", At("w/leads_out").c_str()), 0);
  EXPECT_THAT(Told("file_info", R"({"path": "in"})"), HasSubstr(R"("kind":"link")"));
  EXPECT_THAT(Told("file_info", R"({"path": "in", "follow": true})"), HasSubstr(R"("size":5)"));
  EXPECT_EQ(CallCode("file_info", R"({"path": "leads_out", "follow": true})"),
            "PATH_OUTSIDE_PROJECT");
}

TEST_F(Whole, RootsAreWhatWasConfigured) {
  const tools::Outcome roots = Call("list_roots", "{}");
  ASSERT_TRUE(roots);
  const json::array& list = roots->data.at("roots").as_array();
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list.front().as_object().at("path").as_string(), At("w"));
  EXPECT_EQ(list.front().as_object().at("access").as_string(), "read_write");
}

TEST_F(Whole, ARefusedMoveNamesTheEndThatIsAtFault) {
  WriteFile(At("w/f"), "");
  const tools::Outcome out = Call("move_path", R"({"source": "f", "destination": "../g"})");
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().requested, "../g");
  const tools::Outcome in = Call("move_path", R"({"source": "../g", "destination": "h"})");
  ASSERT_FALSE(in);
  EXPECT_EQ(in.error().requested, "../g");
}

}  // namespace
}  // namespace cordon::testing
