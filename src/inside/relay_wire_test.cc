#include "inside/relay_wire.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "platform/socket_pair.h"

namespace cordon::inside {
namespace {

using Kind = RelayFrame::Kind;

std::vector<RelayFrame> All(const std::string& bytes) {
  RelayReader reader;
  reader.Take(bytes);
  std::vector<RelayFrame> frames;
  while (true) {
    auto frame = reader.Next();
    EXPECT_TRUE(frame);
    if (!frame || !*frame) return frames;
    frames.push_back(std::move(**frame));
  }
}

TEST(RelayWireTest, FramesComeBackHoweverTheyAreCut) {
  const std::string all = Encode(Kind::kOpen, 7, "\x1f\x90") + Encode(Kind::kEnd, 0xffffffff) +
                          EncodeGrant(8, 70000) + Encode(Kind::kData, 1, std::string("a\0b", 3));
  for (std::size_t step = 1; step <= all.size(); ++step) {
    RelayReader reader;
    std::vector<RelayFrame> frames;
    for (std::size_t at = 0; at < all.size(); at += step) {
      reader.Take(std::string_view(all).substr(at, step));
      while (true) {
        auto frame = reader.Next();
        ASSERT_TRUE(frame);
        if (!*frame) break;
        frames.push_back(**frame);
      }
    }
    ASSERT_EQ(frames.size(), 4U);
    EXPECT_EQ(frames[0].connection, 7U);
    EXPECT_EQ(frames[1].connection, 0xffffffffU);
    EXPECT_EQ(frames[3].bytes, std::string("a\0b", 3));
  }
}

TEST(RelayWireTest, WhatIsNoFrameIsAnError) {
  for (const std::string& bytes :
       {std::string("Q\0\0\0\1\0\0\0\0", 9), std::string("d\0\0\0\1\xff\xff\xff\xff", 9)}) {
    RelayReader reader;
    reader.Take(bytes);
    EXPECT_FALSE(reader.Next());
  }
}

class RelayedSocketTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto pair = platform::MakeSocketPair();
    ASSERT_TRUE(pair);
    pair_ = std::move(*pair);
  }
  int ours() const { return pair_.one.get(); }
  int theirs() const { return pair_.other.get(); }
  platform::SocketPair pair_;
  RelayedSocket one_{3};
  std::string said_;
};

TEST_F(RelayedSocketTest, BytesGoBothWaysAndAreGranted) {
  ASSERT_TRUE(one_.Take({Kind::kData, 3, "hello"}));
  ASSERT_EQ(::write(theirs(), "answer", 6), 6);
  one_.Move(ours(), said_);
  char bytes[16];
  ASSERT_EQ(::read(theirs(), bytes, sizeof bytes), 5);
  const auto frames = All(said_);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].kind, Kind::kGrant);
  EXPECT_EQ(frames[1].kind, Kind::kData);
  EXPECT_EQ(frames[1].bytes, "answer");
  EXPECT_FALSE(one_.over());
}

TEST_F(RelayedSocketTest, HalfOfItEndsAlone) {
  ASSERT_TRUE(one_.Take({Kind::kEnd, 3, ""}));
  one_.Move(ours(), said_);
  char byte = 0;
  EXPECT_EQ(::read(theirs(), &byte, 1), 0);  // told that no more comes
  ASSERT_EQ(::write(theirs(), "x", 1), 1);
  one_.Move(ours(), said_);
  EXPECT_FALSE(one_.over());
  ::shutdown(theirs(), SHUT_WR);
  one_.Move(ours(), said_);
  EXPECT_TRUE(one_.over());
  EXPECT_EQ(All(said_).back().kind, Kind::kEnd);
}

TEST_F(RelayedSocketTest, NoMoreIsReadThanTheOtherSideTakes) {
  const std::string much(kRelayWindow, 'x');
  std::size_t sent = 0;
  while (one_.wants_to_read()) {
    const ssize_t count = ::send(theirs(), much.data(), much.size(), MSG_DONTWAIT);
    if (count > 0) sent += static_cast<std::size_t>(count);
    one_.Move(ours(), said_);
    ASSERT_LE(sent, 4 * kRelayWindow);
  }
  std::size_t told = 0;
  for (const RelayFrame& frame : All(said_)) told += frame.bytes.size();
  EXPECT_EQ(told, kRelayWindow);
  EXPECT_FALSE(one_.Take({Kind::kGrant, 3, std::string("\xff\xff\xff\xff", 4)}));
  RelayFrame grant = All(EncodeGrant(3, 10)).front();
  EXPECT_TRUE(one_.Take(grant));
  EXPECT_TRUE(one_.wants_to_read());
}

TEST_F(RelayedSocketTest, WhoSendsMoreThanIsTakenBreaksTheRules) {
  const RelayFrame piece{Kind::kData, 3, std::string(kLongestRelayed, 'x')};
  for (std::size_t all = 0; all < kRelayWindow; all += kLongestRelayed) {
    ASSERT_TRUE(one_.Take(piece));
  }
  EXPECT_FALSE(one_.Take(piece));
  RelayedSocket ended(4);
  ASSERT_TRUE(ended.Take({Kind::kEnd, 4, ""}));
  EXPECT_FALSE(ended.Take({Kind::kData, 4, "x"}));
  EXPECT_FALSE(ended.Take({Kind::kOpen, 4, "xx"}));
}

TEST_F(RelayedSocketTest, OneThatHasGoneIsTold) {
  pair_.other.reset();
  ASSERT_TRUE(one_.Take({Kind::kData, 3, "x"}));
  one_.Move(ours(), said_);
  EXPECT_TRUE(one_.over());
  EXPECT_EQ(All(said_).back().kind, Kind::kGone);
}

}  // namespace
}  // namespace cordon::inside
