#include "inside/run_wire.h"

#include <gtest/gtest.h>

#include "inside/look.h"

namespace cordon::inside {
namespace {

TEST(RunWireTest, FramesComeBackHoweverTheyAreCut) {
  const std::string all =
      Encode(Frame::Kind::kOut, std::string("a\0b", 3)) + Encode(Frame::Kind::kInputEnd) +
      EncodeNumber(Frame::Kind::kGrant, 70000) + Encode(RunEnd{255, 9, RunEnd::Why::kTimeout}) +
      Encode(RunSize{40, 65535});
  for (std::size_t step = 1; step <= all.size(); ++step) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < all.size(); at += step) {
      reader.Take(std::string_view(all).substr(at, step));
      while (true) {
        auto frame = reader.Next();
        ASSERT_TRUE(frame);
        if (!*frame) break;
        frames.push_back(**frame);
      }
    }
    ASSERT_EQ(frames.size(), 5U);
    EXPECT_EQ(frames[0].bytes, std::string("a\0b", 3));
    EXPECT_EQ(frames[1].kind, Frame::Kind::kInputEnd);
    EXPECT_EQ(NumberIn(frames[2].bytes), 70000U);
    const auto end = RunEndIn(frames[3].bytes);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->status, 255);
    EXPECT_EQ(end->signal, 9);
    EXPECT_EQ(end->why, RunEnd::Why::kTimeout);
    EXPECT_EQ(RunSizeIn(frames[4].bytes)->columns, 65535);
  }
}

TEST(RunWireTest, WhatIsNoFrameIsAnError) {
  for (const std::string& bytes : {std::string("Q\0\0\0\0", 5), std::string("o\xff\xff\xff\xff", 5),
                                   std::string("o\0\1\0\1", 5)}) {
    FrameReader reader;
    reader.Take(bytes);
    EXPECT_FALSE(reader.Next());
  }
  EXPECT_FALSE(NumberIn("abc"));
  EXPECT_FALSE(RunEndIn("ab"));
  EXPECT_FALSE(RunSizeIn("ab"));
}

TEST(ViewTextTest, AViewComesBack) {
  View view;
  view.kernel = "Linux version 4.4.0";
  view.kernel_log = "[0.0] Starting gVisor...";
  view.user = 1000;
  view.capabilities = "0 0";
  view.seccomp = "2";
  view.no_new_privileges = view.read_only_root = true;
  view.interfaces = {"lo"};
  view.disk = 1 << 20;
  view.ports = {80, 65535};
  view.processes = {{7, 1, 4096, 10, "a b", "x\ny z"}};
  const View back = DecodeView(Encode(view));
  EXPECT_EQ(back.kernel_log, view.kernel_log);
  EXPECT_EQ(back.user, 1000U);
  EXPECT_TRUE(back.no_new_privileges && back.read_only_root);
  EXPECT_EQ(back.interfaces, view.interfaces);
  EXPECT_EQ(back.ports, view.ports);
  ASSERT_EQ(back.processes.size(), 1U);
  EXPECT_EQ(back.processes[0].id, 7U);
  EXPECT_EQ(back.processes[0].program, "a b");
  EXPECT_EQ(back.processes[0].arguments, "x?y z");
}

// A program's name must not become a line of its own.
TEST(ViewTextTest, NamesCannotSpeakForTheSystem) {
  View view;
  view.processes = {{7, 1, 0, 0, "a\nread-only-root 1", "b\nlog gVisor"}};
  const View back = DecodeView(Encode(view));
  EXPECT_FALSE(back.read_only_root);
  EXPECT_EQ(back.kernel_log, "");
}

TEST(ViewTextTest, NonsenseIsPassedOver) {
  std::string text = "process\nprocess x\nport 99999\nport\n\n\nuser -1\nwhat is this\n";
  for (int i = 0; i < 10'000; ++i) text += "process 1 1 1 1 99999999 a\n";
  const View view = DecodeView(text);
  EXPECT_LE(view.processes.size(), 4096U);
  EXPECT_EQ(view.user, 0U);
}

TEST(LookTest, SeesThisSystem) {
  const View view = LookAround();
  EXPECT_FALSE(view.kernel.empty());
  EXPECT_FALSE(view.processes.empty());
  EXPECT_FALSE(view.capabilities.empty());
}

}  // namespace
}  // namespace cordon::inside
