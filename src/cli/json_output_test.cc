#include "cli/json_output.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "base/percent.h"
#include "base/printable.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

TEST(AddBytes, TextIsItself) {
  json::object object;
  AddBytes(object, "path", "100% 日本語\n");
  EXPECT_EQ(object["path"].as_string(), "100% 日本語\n");
  EXPECT_FALSE(object.contains("pathEncoding"));
}

TEST(AddBytes, BytesAreMarkedAndReversible) {
  json::object object;
  AddBytes(object, "path", "100%\xff");
  EXPECT_EQ(object["path"].as_string(), "100%25%FF");
  EXPECT_EQ(object["pathEncoding"].as_string(), "percent");
  EXPECT_EQ(*PercentDecode(std::string_view(object["path"].as_string())), "100%\xff");
}

TEST(ErrorObject, HasEveryFieldOfTheShape) {
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.violation = Violation::kSymlink;
  error.rule = "boundary";
  error.component = "link";
  error.detail = "a link leads outside";
  const json::object object = ErrorObject(error, "link/x");
  EXPECT_EQ(object.at("code").as_string(), "PATH_OUTSIDE_PROJECT");
  EXPECT_NE(object.at("message").as_string().find("link/x"), std::string::npos);
  EXPECT_NE(object.at("message").as_string().find("a link leads outside"), std::string::npos);
  EXPECT_FALSE(object.at("aiMessage").as_string().empty());
  EXPECT_TRUE(object.at("securityViolation").as_bool());
  EXPECT_EQ(object.at("violation").as_string(), "symlink");
  EXPECT_TRUE(object.at("recoverable").as_bool());
  EXPECT_EQ(object.at("rule").as_string(), "boundary");
  EXPECT_EQ(object.at("component").as_string(), "link");
}

TEST(ErrorObject, LeavesOutWhatThereIsNot) {
  Error error;
  error.code = ErrorCode::kNotFound;
  const json::object object = ErrorObject(error, "x");
  EXPECT_FALSE(object.contains("violation"));
  EXPECT_FALSE(object.contains("rule"));
  EXPECT_FALSE(object.at("securityViolation").as_bool());
}

std::string SerializedText(std::string_view text) {
  json::object object;
  object["a"] = text;
  return Serialize(object);
}

TEST(Serialize, EscapesWhatDoesNotShowAsItself) {
  EXPECT_EQ(SerializedText("\u202e\x7f"), "{\"a\":\"\\u202e\\u007f\"}");
  EXPECT_EQ(SerializedText("\U000e0041"), "{\"a\":\"\\udb40\\udc41\"}");
  EXPECT_EQ(SerializedText("日本語"), "{\"a\":\"日本語\"}");
}

TEST(Serialize, NeverLetsAByteThroughThatIsNotUtf8) {
  EXPECT_EQ(SerializedText("a\x9b\xff"), "{\"a\":\"a\\ufffd\\ufffd\"}");
}

TEST(ErrorObject, ALongNameDoesNotHideTheRestOfTheSentence) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.detail = "unknown key " + Quoted(std::string(100'000, 'k')) + "; Known are \"roots\"";
  EXPECT_EQ(ErrorObject(error).at("message").as_string(), error.detail);
}

TEST(Serialize, HostileNamesStayOneSafeLine) {
  json::object object;
  AddBytes(object, "path", "a\nb\x1b[2J\u202e\x7f");
  const std::string text = Serialize(object);
  for (const char c : text) {
    EXPECT_TRUE(c >= 0x20 && c < 0x7f) << text;
  }
  EXPECT_EQ(json::parse(text).at("path").as_string(), "a\nb\x1b[2J\u202e\x7f");
}

}  // namespace
}  // namespace cordon::cli
