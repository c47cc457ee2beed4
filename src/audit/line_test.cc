#include "audit/line.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "audit/names.h"

namespace cordon::audit {
namespace {

constexpr std::string_view kKey = "0123456789abcdef0123456789abcdef";
constexpr std::int64_t kTime = 1'794'750'133'123'456'789;  // 2026-11-15T13:42:13Z

std::string LineOf(const Record& record, std::uint64_t seq = 7, std::int64_t time = kTime) {
  std::string body, line;
  AppendBody(body, record);
  LineWriter writer{HmacSha256(kKey)};
  Digest prev{};
  prev.fill(0xAB);
  writer.Append(line, seq, time, body, prev);
  return line;
}

Record FullRecord() {
  Record record;
  record.event = Event::kFileRename;
  record.phase = Phase::kEnd;
  record.begun = 6;
  record.session = "s";
  record.conversation = "c";
  record.sandbox = "b";
  record.actor = "a";
  record.tool = "t";
  record.operation = Operation::kRename;
  record.asked = "x\"y";
  record.resolved = "/w/x\xff";
  record.target = "new";
  record.decision = Decision::kDenied;
  record.rule = "deny:.env";
  record.tier = Tier::kPerson;
  record.error = ErrorCode::kNotFound;
  record.violation = Violation::kSymlink;
  record.question = "q";
  record.choice = "once";
  record.channel = "tty";
  record.lost = 3;
  record.protection = Protection::kOff;
  record.duration_ns = -5;
  return record;
}

TEST(Line, HasEveryFieldInItsPlace) {
  const std::string line = LineOf(FullRecord());
  const std::string expected =
      R"({"seq":7,"time":"2026-11-15T13:42:13.123456789Z","event":"file.rename","phase":"end",)"
      R"("begun":6,"session":"s","conversation":"c","sandbox":"b","actor":"a","tool":"t",)"
      R"("operation":"rename","path":{"asked":"x%22y","resolved":"/w/x%FF"},"target":"new",)"
      R"("decision":"denied","rule":"deny:.env","tier":"person","error":"NOT_FOUND",)"
      R"("violation":"symlink","question":"q","choice":"once","channel":"tty","lost":3,)"
      R"("protection":"off","duration_ns":-5,)"
      R"("prev":"abababababababababababababababababababababababababababababababab")";
  HmacSha256 mac(kKey);
  EXPECT_EQ(line, expected + ",\"hash\":\"" + ToHex(mac.Of(expected)) + "\"}\n");
}

TEST(Line, LeavesOutWhatIsUnset) {
  const std::string line = LineOf({});
  EXPECT_EQ(
      line.substr(0, line.find(",\"prev\"")),
      R"({"seq":7,"time":"2026-11-15T13:42:13.123456789Z","event":"file.read","duration_ns":0)");
}

TEST(Line, HasEitherPathAlone) {
  Record record;
  record.asked = "a";
  EXPECT_NE(LineOf(record).find(R"(,"path":{"asked":"a"},)"), std::string::npos);
  record.asked = "";
  record.resolved = "/r";
  EXPECT_NE(LineOf(record).find(R"(,"path":{"resolved":"/r"},)"), std::string::npos);
}

TEST(Line, WritesEveryTimeWithThirtyCharacters) {
  const auto time_of = [](std::int64_t ns) { return LineOf({}, 1, ns).substr(17, 30); };
  EXPECT_EQ(time_of(0), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(time_of(951'782'400'000'000'001), "2000-02-29T00:00:00.000000001Z");
  EXPECT_EQ(time_of(4'102'444'799'999'999'999), "2099-12-31T23:59:59.999999999Z");
}

TEST(Line, TakesTheNewSecondWhenItComes) {
  LineWriter writer{HmacSha256(kKey)};
  std::string text;
  for (const std::int64_t ns : {999'999'999L, 1'000'000'000L, 999'999'999L}) {
    writer.Append(text, 1, ns, "", {});
  }
  EXPECT_NE(text.find("00:00:00.999999999Z"), std::string::npos);
  EXPECT_NE(text.find("00:00:01.000000000Z"), std::string::npos);
}

std::string RandomBytes(std::mt19937& random) {
  std::string bytes(random() % 30, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

TEST(Line, IsValidJsonWhateverTheBytes) {
  std::mt19937 random(2);  // NOLINT(cert-msc51-cpp): the same every time
  for (int round = 0; round < 2000; ++round) {
    const std::string asked = RandomBytes(random), actor = RandomBytes(random);
    Record record = FullRecord();
    record.asked = asked;
    record.actor = actor;
    const std::string line = LineOf(record);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    const auto json = boost::json::parse(line).as_object();
    ASSERT_EQ(json.at("seq").to_number<std::uint64_t>(), 7u);
    if (!asked.empty()) {
      const auto& text = json.at("path").as_object().at("asked").as_string();
      ASSERT_EQ(DecodeName({text.data(), text.size()}).value(), asked);
    }
    if (!actor.empty()) {
      const auto& text = json.at("actor").as_string();
      ASSERT_EQ(DecodeName({text.data(), text.size()}).value(), actor);
    }
  }
}

TEST(Frame, SaysWhatTheLineSays) {
  std::string line = LineOf(FullRecord(), 18'446'744'073'709'551'615u);
  line.pop_back();
  const auto frame = ReadFrame(line);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->seq, 18'446'744'073'709'551'615u);
  EXPECT_EQ(frame->event, "file.rename");
  EXPECT_EQ(frame->prev[31], 0xAB);
  HmacSha256 mac(kKey), other("another key");
  EXPECT_TRUE(IsAuthentic(*frame, mac));
  EXPECT_FALSE(IsAuthentic(*frame, other));
}

TEST(Frame, IsNeverAuthenticWhenAnyByteIsAnother) {
  std::string line = LineOf(FullRecord());
  line.pop_back();
  HmacSha256 mac(kKey);
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const char flip : {1, 32, -128}) {
      std::string changed = line;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto frame = ReadFrame(changed);
      EXPECT_FALSE(frame && IsAuthentic(*frame, mac)) << i << ": " << changed;
    }
    const auto shorter = ReadFrame(std::string_view(line).substr(0, i));
    EXPECT_FALSE(shorter && IsAuthentic(*shorter, mac)) << i;
  }
}

TEST(Frame, IsNothingForAnythingElse) {
  for (const char* text : {"", "{}", "\"}", "{\"seq\":1}", "no record at all"}) {
    EXPECT_FALSE(ReadFrame(text)) << text;
  }
}

}  // namespace
}  // namespace cordon::audit
