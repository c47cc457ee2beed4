#include "mcp/http_outbox.h"

#include <gtest/gtest.h>

namespace cordon::mcp {
namespace {

// A client that takes as much as it is told to.
class Reader final : public net::HttpReply {
 public:
  void Send(net::HttpResponse /*response*/) override { ended = true; }
  void Begin(const net::HttpResponse& head) override { got = head.body; }
  bool Write(std::string piece) override { return TryWrite(std::move(piece)); }
  bool TryWrite(std::string piece) override {
    if (!taking) return false;
    got += piece;
    return true;
  }
  void End() override { ended = true; }
  bool open() const override { return taking && !ended; }
  void OnGone(std::function<void()> /*gone*/) override {}
  std::shared_ptr<net::WebSocket> Upgrade(const net::WebSocketTerms& /*terms*/) override {
    return nullptr;
  }

  std::string got;
  bool taking = true;
  bool ended = false;
};

using Waiting = HttpOutbox::Waiting;
using Priming = HttpOutbox::Priming;

TEST(HttpOutbox, KeepsStreamsApart) {
  HttpOutbox outbox({10, 1000});
  const auto one = std::make_shared<Reader>();
  const auto two = std::make_shared<Reader>();
  const std::uint64_t first = outbox.NewStream();
  const std::uint64_t second = outbox.NewStream();
  outbox.Attach(first, one, Priming::kNo);
  outbox.Attach(second, two, Priming::kYes);
  outbox.Send(first, "a", Waiting::kMay);
  outbox.Send(second, "b", Waiting::kMay);
  EXPECT_EQ(one->got, "id: 1-1\nevent: message\ndata: a\n\n");
  EXPECT_EQ(two->got, "id: 2-0\ndata:\n\nid: 2-2\nevent: message\ndata: b\n\n");
  outbox.End(first);
  EXPECT_TRUE(one->ended);
  outbox.Send(first, "late", Waiting::kMay);
  const auto again = std::make_shared<Reader>();
  ASSERT_TRUE(outbox.Resume({first, 0}, again));
  EXPECT_EQ(again->got, one->got);
  EXPECT_TRUE(again->ended);
}

TEST(HttpOutbox, LetsGoOfWhoTakesNothingAndKeepsTheRest) {
  HttpOutbox outbox({10, 1000});
  const auto slow = std::make_shared<Reader>();
  outbox.Attach(HttpOutbox::kUnasked, slow, Priming::kNo);
  EXPECT_TRUE(outbox.has_reader());
  slow->taking = false;
  outbox.Send(HttpOutbox::kUnasked, "a", Waiting::kNever);
  EXPECT_FALSE(outbox.has_reader());
  EXPECT_EQ(slow.use_count(), 1);
  const auto next = std::make_shared<Reader>();
  outbox.Attach(HttpOutbox::kUnasked, next, Priming::kNo);
  EXPECT_NE(next->got.find("data: a"), std::string::npos);
}

TEST(HttpOutbox, KeepsNoMoreThanItMay) {
  HttpOutbox outbox({3, 120});
  for (int i = 1; i <= 5; ++i)
    outbox.Send(HttpOutbox::kUnasked, std::to_string(i), Waiting::kNever);
  const auto reader = std::make_shared<Reader>();
  ASSERT_TRUE(outbox.Resume({HttpOutbox::kUnasked, 0}, reader));
  EXPECT_EQ(reader->got.find("data: 2\n"), std::string::npos);
  EXPECT_NE(reader->got.find("data: 3\n"), std::string::npos);
  outbox.Send(HttpOutbox::kUnasked, std::string(200, 'x'), Waiting::kNever);
  EXPECT_NE(reader->got.find("xxx"), std::string::npos);  // sent, though too large to be kept
  const auto other = std::make_shared<Reader>();
  ASSERT_TRUE(outbox.Resume({HttpOutbox::kUnasked, 0}, other));
  EXPECT_EQ(other->got, "");
  EXPECT_TRUE(reader->ended);
}

TEST(HttpOutbox, ResumesNothingThatItDoesNotHave) {
  HttpOutbox outbox({3, 1000});
  const std::uint64_t stream = outbox.NewStream();
  outbox.Send(stream, "a", Waiting::kMay);
  outbox.End(stream);
  const auto reader = std::make_shared<Reader>();
  EXPECT_FALSE(outbox.Resume({stream, 1}, reader));  // it has seen all
  EXPECT_FALSE(outbox.Resume({stream, 9}, reader));
  EXPECT_FALSE(outbox.Resume({stream + 1, 0}, reader));
  EXPECT_FALSE(reader->ended);
  outbox.Close();
  EXPECT_FALSE(outbox.Resume({HttpOutbox::kUnasked, 0}, reader));
}

}  // namespace
}  // namespace cordon::mcp
