#include "consent/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cordon::consent {
namespace {

std::string AnyBytes(std::mt19937& random) {
  std::string bytes(random() % 40, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 3 == 0 ? random() : 'a');
  return bytes;
}

Question AnyQuestion(std::mt19937& random) {
  Question question;
  for (std::string* text :
       {&question.id, &question.session, &question.actor, &question.tool, &question.path,
        &question.asked, &question.target, &question.command, &question.state, &question.preview}) {
    *text = AnyBytes(random);
  }
  question.operation = static_cast<Operation>(random() % 8);
  question.reason = random() % 2 == 0 ? Reason::kOutside : Reason::kTool;
  if (random() % 2 == 0) question.directory = AnyBytes(random);
  if (random() % 2 == 0) question.trusted = AnyBytes(random);
  return question;
}

TEST(Wire, QuestionsComeBackByteForByte) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same every time
  for (int round = 0; round < 2'000; ++round) {
    const Question question = AnyQuestion(random);
    const std::string line = LineOf(question);
    ASSERT_EQ(std::count_if(line.begin(), line.end(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
              1)
        << line;
    ASSERT_TRUE(line.ends_with('\n'));
    const Result<ToPerson> back = ParseToPerson(line.substr(0, line.size() - 1));
    ASSERT_TRUE(back) << line;
    const auto* read = std::get_if<Question>(&*back);
    ASSERT_NE(read, nullptr);
    EXPECT_TRUE(read->SameAs(question)) << line;
    EXPECT_EQ(read->id, question.id);
  }
}

TEST(Wire, EveryOtherMessageComesBack) {
  for (const SettledBy by : {SettledBy::kHere, SettledBy::kElsewhere, SettledBy::kTimeout,
                             SettledBy::kWithdrawn, SettledBy::kGone}) {
    for (const Choice choice : {Choice::kDeny, Choice::kOnce, Choice::kDirectory, Choice::kTool}) {
      const Result<ToPerson> back = ParseToPerson(LineOf(Settled{"i\xff", choice, by}));
      ASSERT_TRUE(back);
      const Settled& settled = std::get<Settled>(*back);
      EXPECT_EQ(settled.id, "i\xff");
      EXPECT_EQ(settled.choice, choice);
      EXPECT_EQ(settled.by, by);
      const Result<GivenAnswer> answer = ParseAnswer(LineOf(GivenAnswer{"i\xff", choice}));
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->id, "i\xff");
      EXPECT_EQ(answer->choice, choice);
    }
  }
  const Result<ToPerson> ignored = ParseToPerson(LineOf(Ignored{"i", "why\n"}));
  ASSERT_TRUE(ignored);
  EXPECT_EQ(std::get<Ignored>(*ignored).reason, "why\n");
}

TEST(Wire, NonsenseIsNoAnswer) {
  for (const char* line : {"",
                           " ",
                           "{}",
                           "[]",
                           "null",
                           "1",
                           "once",
                           "{\"id\":\"a\"}",
                           "{\"choice\":\"once\"}",
                           R"({"id":1,"choice":"once"})",
                           R"({"id":"a","choice":1})",
                           R"({"id":"a","choice":"yes"})",
                           R"({"id":"a","choice":"Once"})",
                           R"({"type":"settled","id":"a","choice":"once"})",
                           R"({"type":1,"id":"a","choice":"once"})",
                           R"({"id":"a","choice":"once"} x)",
                           R"({"id":"%zz","idEncoding":"percent","choice":"once"})",
                           R"({"id":"a","idEncoding":"rot13","choice":"once"})",
                           "{\"id\":\"\xff\",\"choice\":\"once\"}",
                           R"({"id":"a","choice":"once"}{"id":"b","choice":"once"})"}) {
    EXPECT_FALSE(ParseAnswer(line)) << line;
  }
  EXPECT_FALSE(ParseAnswer(std::string(100'000, '[')));
  EXPECT_TRUE(ParseAnswer(R"( {"id":"a","choice":"once"} )"));
  EXPECT_TRUE(ParseAnswer(R"({"type":"answer","id":"a","choice":"deny","more":[1]})"));
}

TEST(Wire, NonsenseIsNoQuestion) {
  Question question;
  question.id = "a";
  const std::string whole = LineOf(question);
  for (const char* key : {"\"id\"", "\"path\"", "\"operation\":\"read\"", "\"outside\"",
                          "\"question\"", "\"preview\"", "\"session\""}) {
    std::string broken = whole;
    broken.replace(broken.find(key) + 1, 1, "X");
    EXPECT_FALSE(ParseToPerson(broken)) << broken;
  }
  for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    EXPECT_FALSE(ParseToPerson(whole.substr(0, cut)));
  }
}

TEST(Wire, ALongPreviewIsCutAndSaysSo) {
  Question question;
  for (int i = 0; i < 100'000; ++i) question.preview += "line " + std::to_string(i) + "\n";
  const std::string line = LineOf(question);
  EXPECT_LT(line.size(), kMaxSentPreview * 2);
  const Question read = std::get<Question>(*ParseToPerson(line));
  EXPECT_TRUE(read.preview.ends_with(" more bytes)\n"));
  EXPECT_TRUE(question.preview.starts_with(read.preview.substr(0, read.preview.rfind("... ("))));
}

}  // namespace
}  // namespace cordon::consent
