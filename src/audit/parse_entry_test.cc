#include <gtest/gtest.h>

#include <string>

#include "audit/reader.h"

namespace cordon::audit {
namespace {

const std::string kHash(64, 'a');
const std::string kTime = R"("time":"2026-11-15T13:42:13.123456789Z")";

// The fields that every record has, `more` between them.
std::string Line(const std::string& more) {
  return R"({"seq":7,)" + kTime + R"(,"event":"file.read",)" + more +
         R"("duration_ns":123,"prev":")" + kHash + R"(","hash":")" + kHash + "\"}";
}

std::string With(const std::string& line, const std::string& old, const std::string& now) {
  std::string text = line;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

std::string Complaint(const std::string& line) {
  const Result<Entry> entry = ParseEntry(line);
  if (entry) return "";
  EXPECT_EQ(entry.error().code, ErrorCode::kInvalidArguments);
  return entry.error().detail;
}

TEST(ParseEntry, ReadsEveryField) {
  const Result<Entry> entry = ParseEntry(Line(
      R"("phase":"end","begun":6,"session":"s1","conversation":"c1","sandbox":"b1","actor":"a1",)"
      R"("tool":"read_file","operation":"read","path":{"asked":"x%0Ay","resolved":"/w/x"},)"
      R"("target":"t","decision":"denied","rule":"deny:.env","tier":"policy","error":"NOT_FOUND",)"
      R"("violation":"symlink","question":"q","choice":"once","channel":"tty","lost":3,)"
      R"("protection":"off",)"));
  ASSERT_TRUE(entry) << entry.error().detail;
  EXPECT_EQ(entry->seq, 7u);
  EXPECT_EQ(entry->time, "2026-11-15T13:42:13.123456789Z");
  EXPECT_EQ(entry->time_ns, 1794750133'123456789);
  EXPECT_EQ(entry->event, "file.read");
  EXPECT_EQ(entry->phase, "end");
  EXPECT_EQ(entry->begun, 6u);
  EXPECT_EQ(entry->session + entry->conversation + entry->sandbox + entry->actor, "s1c1b1a1");
  EXPECT_EQ(entry->tool, "read_file");
  EXPECT_EQ(entry->operation, "read");
  EXPECT_EQ(entry->asked, "x\ny");
  EXPECT_EQ(entry->resolved, "/w/x");
  EXPECT_EQ(entry->target, "t");
  EXPECT_EQ(entry->decision, "denied");
  EXPECT_EQ(entry->rule, "deny:.env");
  EXPECT_EQ(entry->tier, "policy");
  EXPECT_EQ(entry->error, "NOT_FOUND");
  EXPECT_EQ(entry->violation, "symlink");
  EXPECT_EQ(entry->question + entry->choice + entry->channel, "qoncetty");
  EXPECT_EQ(entry->lost, 3u);
  EXPECT_TRUE(entry->unprotected);
  EXPECT_EQ(entry->duration_ns, 123);
  EXPECT_EQ(entry->prev, kHash);
  EXPECT_EQ(entry->hash, kHash);
}

TEST(ParseEntry, LeavesOutWhatIsNotThere) {
  const Result<Entry> entry = ParseEntry(Line(""));
  ASSERT_TRUE(entry) << entry.error().detail;
  EXPECT_TRUE(entry->phase.empty() && entry->asked.empty() && entry->decision.empty());
  EXPECT_EQ(entry->begun + entry->lost, 0u);
  EXPECT_FALSE(entry->unprotected);
}

TEST(ParseEntry, TakesTheLargestNumber) {
  const auto entry = ParseEntry(With(Line(""), "\"seq\":7", "\"seq\":18446744073709551615"));
  ASSERT_TRUE(entry) << entry.error().detail;
  EXPECT_EQ(entry->seq, 18446744073709551615u);
}

TEST(ParseEntry, RefusesWhatIsNoObject) {
  for (const char* text : {"", " ", "{", "{}", "[]", "1", "\"x\"", "null", "true", "nonsense",
                           "{\"seq\":1", "{\"seq\"", "{\"path\":{}}", "[{\"seq\":1}]"}) {
    EXPECT_NE(Complaint(text), "") << text;
  }
}

TEST(ParseEntry, NamesTheMissingField) {
  const std::string line = Line("");
  EXPECT_NE(Complaint(With(line, R"("seq":7,)", "")).find("\"seq\" is missing"), std::string::npos);
  EXPECT_NE(Complaint(With(line, kTime + ",", "")), "");
  EXPECT_NE(Complaint(With(line, R"("event":"file.read",)", "")), "");
  EXPECT_NE(Complaint(With(line, R"("duration_ns":123,)", "")), "");
  EXPECT_NE(Complaint(With(line, R"("prev":")" + kHash + "\",", "")), "");
  EXPECT_NE(Complaint(With(line, R"(,"hash":")" + kHash + "\"", "")), "");
}

TEST(ParseEntry, RefusesUnknownAndRepeatedFields) {
  EXPECT_NE(Complaint(Line(R"("colour":"red",)")).find("unknown"), std::string::npos);
  EXPECT_NE(Complaint(Line(R"("asked":"x",)")).find("unknown"), std::string::npos);
  EXPECT_NE(Complaint(Line(R"("path":{"asked":"a","tool":"b"},)")).find("unknown"),
            std::string::npos);
  EXPECT_NE(Complaint(Line(R"("tool":"a","tool":"b",)")).find("twice"), std::string::npos);
  EXPECT_NE(Complaint(Line(R"("path":{"asked":"a","asked":"b"},)")).find("twice"),
            std::string::npos);
  EXPECT_NE(Complaint(Line(R"("path":{"asked":"a"},"path":{"resolved":"b"},)")).find("twice"),
            std::string::npos);
}

TEST(ParseEntry, RefusesWrongTypes) {
  for (const char* more : {R"("tool":1,)",
                           R"("tool":null,)",
                           R"("tool":true,)",
                           R"("tool":["a"],)",
                           R"("tool":{},)",
                           R"("tool":{"asked":"a"},)",
                           R"("tool":"",)",
                           R"("path":"a",)",
                           R"("path":{},)",
                           R"("path":{"asked":{"asked":"a"}},)",
                           R"("path":{"asked":1},)",
                           R"("begun":0,)",
                           R"("begun":-1,)",
                           R"("begun":1.0,)",
                           R"("begun":1e3,)",
                           R"("begun":"1",)",
                           R"("begun":18446744073709551616,)",
                           R"("phase":"middle",)",
                           R"("protection":"on",)",
                           R"("protection":false,)",
                           R"("lost":0,)"}) {
    EXPECT_NE(Complaint(Line(more)), "") << more;
  }
  const std::string line = Line("");
  EXPECT_NE(Complaint(With(line, "\"seq\":7", "\"seq\":0")), "");
  EXPECT_NE(Complaint(With(line, "123,", "\"123\",")), "");
  EXPECT_NE(Complaint(With(line, "123,", "9223372036854775808,")), "");
  EXPECT_NE(Complaint(With(line, "\"aaaa", "\"Aaaa")), "");
  EXPECT_NE(Complaint(With(line, "\"aaaa", "\"aaa")), "");
}

TEST(ParseEntry, RefusesBadTimes) {
  for (const char* time :
       {"2026-11-15T13:42:13Z", "2026-11-15T13:42:13.12345678Z", "2026-11-15 13:42:13.123456789Z",
        "2026-02-30T13:42:13.123456789Z", "2026-11-15T13:42:13.1234567+0Z",
        "2026-11-15T25:42:13.123456789Z", "2026-11-15T13:42:13.123456789z", ""}) {
    EXPECT_NE(Complaint(With(Line(""), "2026-11-15T13:42:13.123456789Z", time)), "") << time;
  }
}

TEST(ParseEntry, RefusesOddEncodings) {
  for (const char* text :
       {"%", "%4", "%zz", "%0a", "%41", "%E2%98%83", "a\tb", "a\nb", "\x7f", "a\\nb", "\\u0041",
        "\xff", "\xc0\xaf", "\xe2\x80\xae", "\x1b[2J", "\xc2\x9b"}) {
    EXPECT_NE(Complaint(Line(std::string("\"tool\":\"") + text + "\",")), "") << text;
  }
  for (const char* text : {"%25", "%0A", "%22", "%5C", "%FF", "%E2%80%AE", "日本語", "a b"}) {
    EXPECT_EQ(Complaint(Line(std::string("\"tool\":\"") + text + "\",")), "") << text;
  }
}

TEST(ParseEntry, RefusesWhatStandsAround) {
  EXPECT_NE(Complaint(Line("") + "x"), "");
  EXPECT_NE(Complaint(Line("") + Line("")), "");
  EXPECT_NE(Complaint(Line("") + "\r"), "");
  EXPECT_NE(Complaint("\xef\xbb\xbf" + Line("")), "");
  EXPECT_NE(Complaint(Line("") + std::string(1, '\0')), "");
}

}  // namespace
}  // namespace cordon::audit
