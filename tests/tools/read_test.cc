// read_file and read_files: ranges, limits, encodings, what is no text.
#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class Reading : public ToolTest {
 protected:
  static std::string Numbered(int lines) {
    std::string text;
    for (int i = 1; i <= lines; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
  }
  // The content, or the code.
  std::string ContentOf(std::string_view arguments) {
    const tools::Outcome outcome = Call("read_file", arguments);
    if (!outcome) return CodeOf(outcome);
    return std::string(outcome->data.at("content").as_string());
  }
};

TEST_F(Reading, Ranges) {
  WriteFile(At("w/f"), "a\nb\nc\nd\ne");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"path": "f"})", "a\nb\nc\nd\ne"},
      {R"({"path": "f", "start_line": 2})", "b\nc\nd\ne"},
      {R"({"path": "f", "start_line": 2, "end_line": 3})", "b\nc\n"},
      {R"({"path": "f", "start_line": "4", "end_line": "99"})", "d\ne"},
      {R"({"path": "f", "start_line": -2})", "d\ne"},
      {R"({"path": "f", "start_line": -99})", "a\nb\nc\nd\ne"},
      {R"({"path": "f", "end_line": -2})", "a\nb\nc\nd\n"},
      {R"({"path": "f", "offset": 1, "limit": 2})", "b\nc\n"},
      {R"({"path": "f", "offset": -1})", "e"},
      {R"({"path": "f", "limit": 1})", "a\n"},
      {R"({"path": "f", "start_line": 5})", "e"},
      {R"({"path": "f", "start_line": 6})", "INVALID_ARGUMENTS"},
      {R"({"path": "f", "start_line": 3, "end_line": 2})", "INVALID_ARGUMENTS"},
      {R"({"path": "f", "start_line": 1, "offset": 1})", "INVALID_ARGUMENTS"},
      {R"({"path": "f", "end_line": 1, "limit": 1})", "INVALID_ARGUMENTS"},
      {R"({"path": "f", "limit": 0})", "INVALID_ARGUMENTS"},
      {R"({"path": "f", "start_line": 2, "end_line": 3, "line_numbers": true})",
       "     2\tb\n     3\tc\n"},
  };
  for (const auto& [arguments, content] : cases)
    EXPECT_EQ(ContentOf(arguments), content) << arguments;
}

TEST_F(Reading, AnEmptyFile) {
  WriteFile(At("w/f"), "");
  const tools::Outcome read = Call("read_file", R"({"path": "f"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->data.at("total_lines").as_int64(), 0);
  EXPECT_EQ(read->data.at("content").as_string(), "");
  EXPECT_EQ(read->data.at("etag").as_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(Reading, TheNextCallIsTold) {
  WriteFile(At("w/f"), Numbered(5000));
  std::string whole;
  std::string arguments = R"({"path": "f"})";
  for (int calls = 0; calls < 10; ++calls) {
    const tools::Outcome read = Call("read_file", arguments);
    ASSERT_TRUE(read);
    whole += read->data.at("content").as_string();
    EXPECT_LE(read->data.at("content").as_string().size(), 48'000u);
    if (!read->data.contains("next")) break;
    EXPECT_TRUE(read->data.at("truncated").as_bool());
    EXPECT_THAT(read->text, HasSubstr("of 5000. To go on: read_file with start_line"));
    arguments = json::serialize(read->data.at("next"));
  }
  EXPECT_EQ(whole, Numbered(5000));
}

TEST_F(Reading, LongLinesAreCut) {
  WriteFile(At("w/f"), std::string(1999, 'a') +
                           "\xC3\xA9"
                           "b\nshort\n" +
                           std::string(5000, 'c'));
  const tools::Outcome read = Call("read_file", R"({"path": "f"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->data.at("content").as_string(), std::string(1999, 'a') +
                                                      "\xC3\xA9 [line cut]\nshort\n" +
                                                      std::string(2000, 'c') + " [line cut]");
  EXPECT_EQ(read->data.at("cut_lines").as_int64(), 2);
  EXPECT_TRUE(read->data.at("truncated").as_bool());
}

TEST_F(Reading, Encodings) {
  const std::string utf16le(
      "\xFF\xFE"
      "h\0i\0\r\0\n\0=\xD8\0\xDE",
      14);
  const std::string utf16be("\xFE\xFF\0h\0i", 6);
  const struct {
    std::string bytes, content, encoding, mark, ends;
  } cases[] = {
      {"plain\n", "plain\n", "utf-8", "false", "lf"},
      {"\xEF\xBB\xBFmarked\r\n", "marked\r\n", "utf-8", "true", "crlf"},
      {"one\r\ntwo\n", "one\r\ntwo\n", "utf-8", "false", "mixed"},
      {"none", "none", "utf-8", "false", "none"},
      {"caf\xE9\n", "caf\xC3\xA9\n", "latin-1", "false", "lf"},
      {utf16le, "hi\r\n\xF0\x9F\x98\x80", "utf-16le", "true", "crlf"},
      {utf16be, "hi", "utf-16be", "true", "none"},
  };
  for (const auto& one : cases) {
    WriteFile(At("w/f"), one.bytes);
    const tools::Outcome read = Call("read_file", R"({"path": "f"})");
    ASSERT_TRUE(read) << one.encoding;
    EXPECT_EQ(read->data.at("content").as_string(), one.content);
    EXPECT_EQ(read->data.at("encoding").as_string(), one.encoding);
    EXPECT_EQ(read->data.at("byte_order_mark").as_bool(), one.mark == "true");
    EXPECT_EQ(read->data.at("line_endings").as_string(), one.ends);
  }
}

TEST_F(Reading, AnEncodingThatIsAskedFor) {
  WriteFile(At("w/f"), "caf\xE9");
  EXPECT_EQ(ContentOf(R"({"path": "f", "encoding": "utf-8"})"), "NOT_TEXT");
  EXPECT_EQ(ContentOf(R"({"path": "f", "encoding": "latin-1"})"), "caf\xC3\xA9");
  EXPECT_EQ(ContentOf(R"({"path": "f", "encoding": "base64"})"), "Y2Fm6Q==");
  EXPECT_EQ(ContentOf(R"({"path": "f", "encoding": "ebcdic"})"), "INVALID_ARGUMENTS");
  WriteFile(At("w/f"), "odd");
  EXPECT_EQ(ContentOf(R"({"path": "f", "encoding": "utf-16le"})"), "NOT_TEXT");
}

TEST_F(Reading, WhatIsNoTextComesAsItIs) {
  const std::string png("\x89PNG\r\n\x1a\n\0\0", 10);
  WriteFile(At("w/f"), png);
  const tools::Outcome read = Call("read_file", R"({"path": "f"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->data.at("mime_type").as_string(), "image/png");
  EXPECT_FALSE(read->data.contains("content"));
  ASSERT_EQ(read->attachments.size(), 1u);
  EXPECT_EQ(read->attachments[0].bytes, png);
}

TEST_F(Reading, HugeFiles) {
  WriteFile(At("w/sparse"), "");
  ASSERT_EQ(::truncate(At("w/sparse").c_str(), 1 << 30), 0);
  EXPECT_EQ(CallCode("read_file", R"({"path": "sparse"})"), "TOO_LARGE");
  ASSERT_EQ(::truncate(At("w/sparse").c_str(), 5ll << 30), 0);
  EXPECT_EQ(CallCode("read_file", R"({"path": "sparse"})"), "TOO_LARGE");
  EXPECT_THAT(Told("read_file", R"({"path": "sparse"})"), HasSubstr("5368709120 bytes"));
}

// Larger than what is held in memory: read piece by piece, the same answers.
TEST_F(Reading, LargeTexts) {
  std::string text;
  for (int i = 1; text.size() < (65u << 20); ++i) {
    text += std::to_string(i) + std::string(1000 + static_cast<std::size_t>(i % 7), '.') + "\n";
  }
  const auto lines = static_cast<std::int64_t>(std::count(text.begin(), text.end(), '\n'));
  WriteFile(At("w/f"), text);
  for (const std::int64_t first : {std::int64_t{1}, std::int64_t{1040}, lines / 2, lines}) {
    json::object arguments{{"path", "f"}, {"start_line", first}, {"limit", 1}};
    const tools::Outcome read = Call("read_file", arguments);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->data.at("content").as_string().starts_with(std::to_string(first) + "."));
    EXPECT_EQ(read->data.at("total_lines").as_int64(), lines);
  }
  EXPECT_TRUE(
      ContentOf(R"({"path": "f", "start_line": -1})").starts_with(std::to_string(lines) + "."));
  EXPECT_EQ(Call("read_file", R"({"path": "f"})")->data.at("etag").as_string(),
            ToHex(Sha256(text)));
}

TEST_F(Reading, SeveralFiles) {
  WriteFile(At("w/b"), "bee\n");
  WriteFile(At("w/bin"), std::string("\0\0", 2));
  const tools::Outcome read =
      Call("read_files", R"({"paths": ["a", "b", "missing", "../o/f", "bin"]})");
  ASSERT_TRUE(read);
  const json::array& files = read->data.at("files").as_array();
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].at("content").as_string(), "inside");
  EXPECT_EQ(files[1].at("content").as_string(), "bee\n");
  EXPECT_EQ(files[2].at("error").as_string(), "NOT_FOUND");
  EXPECT_EQ(files[3].at("error").as_string(), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(files[4].at("error").as_string(), "NOT_TEXT");
}

TEST_F(Reading, SeveralLargeFilesAreLeftOutInTheEnd) {
  json::array paths;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "f" + std::to_string(i);
    WriteFile(At("w/" + name), Numbered(1800));
    paths.emplace_back(name);
  }
  json::object arguments;
  arguments["paths"] = paths;
  const tools::Outcome read = Call("read_files", arguments);
  ASSERT_TRUE(read);
  EXPECT_GE(read->data.at("left_out").as_array().size(), 1u);
  EXPECT_EQ(read->data.at("left_out").as_array().size() + read->data.at("files").as_array().size(),
            5u);
  EXPECT_THAT(read->text, HasSubstr("files left out"));
}

TEST_F(Reading, ACancelledCallEnds) {
  WriteFile(At("w/f"), std::string(70u << 20, 'x'));
  std::stop_source stop;
  options_.stop = stop.get_token();
  stop.request_stop();
  EXPECT_EQ(CallCode("read_file", R"({"path": "f"})"), "TIMEOUT");
}

}  // namespace
}  // namespace cordon::testing
