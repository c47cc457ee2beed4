#include "mcp/line_writer.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace cordon::mcp {
namespace {

class Written final : public LineStream {
 public:
  Result<std::size_t> Read(std::span<char> /*buffer*/) override { return 0; }
  Status Write(std::string_view bytes) override {
    writes.emplace_back(bytes);
    return {};
  }
  std::vector<std::string> writes;
};

TEST(LineWriter, SettlesAnAnswerRightBeforeItIsWritten) {
  Written stream;
  LineWriter writer(stream);
  int settled = 0;
  const auto settle = [&]() -> std::optional<std::string> {
    EXPECT_TRUE(stream.writes.empty());
    ++settled;
    return std::nullopt;
  };
  {
    LineWriter::Room room;
    const LineWriter::Holding holding(writer, room);
    writer.Answer("a", settle);
    writer.Answer("b");
    writer.Answer("c", settle);
    EXPECT_EQ(settled, 0);
    EXPECT_TRUE(stream.writes.empty());
  }
  EXPECT_EQ(settled, 2);
  EXPECT_EQ(stream.writes, std::vector<std::string>{"a\nb\nc\n"});
}

TEST(LineWriter, SendsInsteadWhatFailedToSettleGives) {
  Written stream;
  LineWriter writer(stream);
  const auto fails = [](std::string instead) -> Settle {
    return [instead = std::move(instead)] { return std::optional(instead); };
  };
  {
    LineWriter::Room room;
    const LineWriter::Holding holding(writer, room);
    writer.Answer("plain");
    writer.Answer("secret of some length", fails("no"));
    writer.Answer("told", [] { return std::optional<std::string>(); });
    writer.Answer("s", fails("refused at length"));
    writer.Answer("secret", fails(""));
    writer.Answer("plain");
  }
  EXPECT_EQ(stream.writes,
            std::vector<std::string>{"plain\nno\ntold\nrefused at length\n\nplain\n"});
}

TEST(LineWriter, SettlesWhatIsHeldWhenAnythingElseIsWritten) {
  Written stream;
  LineWriter writer(stream);
  LineWriter::Room room;
  const LineWriter::Holding holding(writer, room);
  writer.Answer("secret", [] { return std::optional<std::string>("no"); });
  writer.Write("notice");
  EXPECT_EQ(stream.writes, (std::vector<std::string>{"no\n", "notice\n"}));
}

TEST(LineWriter, SettlesAtOnceWithoutAHolding) {
  Written stream;
  LineWriter writer(stream);
  writer.Answer("secret", [] { return std::optional<std::string>("no"); });
  EXPECT_EQ(stream.writes, std::vector<std::string>{"no\n"});
}

}  // namespace
}  // namespace cordon::mcp
