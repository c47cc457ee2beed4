#include "audit/best_effort.h"

#include <gtest/gtest.h>

#include <vector>

namespace cordon::audit {
namespace {

// Fails while told to; remembers what got through.
class Flaky : public Recorder {
 public:
  Result<std::uint64_t> Append(const Record& record, Durability /*durability*/) override {
    if (fail > 0) {
      --fail;
      Error error;
      error.detail = "no space";
      return error;
    }
    events.push_back(record.event);
    lost.push_back(record.lost);
    return events.size();
  }
  int fail = 0;
  std::vector<Event> events;
  std::vector<std::uint64_t> lost;
};

struct Subject {
  std::shared_ptr<Flaky> flaky = std::make_shared<Flaky>();
  std::vector<std::string> warnings;
  BestEffort log{flaky, [this](const std::string& text) { warnings.push_back(text); }};
  Result<std::uint64_t> Append() { return log.Append({}, Durability::kWithKernel); }
};

TEST(BestEffort, PassesOnWhatWorks) {
  Subject subject;
  EXPECT_EQ(subject.Append().value(), 1u);
  EXPECT_EQ(subject.Append().value(), 2u);
  EXPECT_TRUE(subject.warnings.empty());
}

TEST(BestEffort, GoesOnWithoutTheLogAndSaysSo) {
  Subject subject;
  subject.flaky->fail = 1;
  EXPECT_EQ(subject.Append().value(), 0u);
  ASSERT_EQ(subject.warnings.size(), 1u);
  EXPECT_NE(subject.warnings[0].find("no space"), std::string::npos);
}

TEST(BestEffort, WarnsOnceForOneGap) {
  Subject subject;
  subject.flaky->fail = 3;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(subject.Append().value(), 0u);
  EXPECT_EQ(subject.warnings.size(), 1u);
}

TEST(BestEffort, CountsWhatIsLostBeforeTheNextRecord) {
  Subject subject;
  subject.Append().value();
  subject.flaky->fail = 3;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(subject.Append().value(), 0u);
  EXPECT_EQ(subject.Append().value(), 3u);
  EXPECT_EQ(subject.flaky->events,
            (std::vector{Event::kFileRead, Event::kLogGap, Event::kFileRead}));
  EXPECT_EQ(subject.flaky->lost, (std::vector<std::uint64_t>{0, 3, 0}));
}

TEST(BestEffort, WarnsAgainOfTheNextGap) {
  Subject subject;
  for (int gap = 1; gap <= 2; ++gap) {
    subject.flaky->fail = 1;
    subject.Append().value();
    subject.Append().value();
    EXPECT_EQ(subject.warnings.size(), static_cast<std::size_t>(gap));
  }
}

}  // namespace
}  // namespace cordon::audit
