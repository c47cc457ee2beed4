#include "provision/docker_streams.h"

#include <gtest/gtest.h>

namespace cordon::provision {
namespace {

std::string FrameOf(char stream, std::string_view bytes) {
  std::string frame = {
      stream, 0, 0, 0, 0, 0, static_cast<char>(bytes.size() >> 8), static_cast<char>(bytes.size())};
  frame += bytes;
  return frame;
}

TEST(DockerFramesTest, AnyCutGivesTheSame) {
  const std::string all = FrameOf(1, "out") + FrameOf(2, "") + FrameOf(2, "err") + FrameOf(1, "!");
  for (std::size_t step = 1; step <= all.size(); ++step) {
    DockerFrames frames;
    std::string out, err;
    for (std::size_t at = 0; at < all.size(); at += step) {
      frames.Take(std::string_view(all).substr(at, step));
      while (true) {
        const auto piece = frames.Next();
        ASSERT_TRUE(piece);
        if (!*piece) break;
        ((*piece)->stream == DockerPiece::Stream::kOut ? out : err) += (*piece)->bytes;
      }
    }
    EXPECT_EQ(out, "out!");
    EXPECT_EQ(err, "err");
    EXPECT_TRUE(frames.complete());
  }
}

TEST(DockerFramesTest, WhatIsNoFrameIsAnError) {
  for (const std::string& bytes : {std::string("HTTP/1.1"), std::string("\3\0\0\0\0\0\0\1", 8),
                                   std::string("\1\1\0\0\0\0\0\1", 8)}) {
    DockerFrames frames;
    frames.Take(bytes);
    EXPECT_FALSE(frames.Next());
  }
}

TEST(DockerFramesTest, AHugeFrameIsGivenOutInPieces) {
  DockerFrames frames;
  frames.Take(std::string("\1\0\0\0\xff\xff\xff\xff", 8));
  for (int i = 0; i < 3; ++i) {
    frames.Take("abc");
    EXPECT_EQ((*frames.Next())->bytes, "abc");
  }
  EXPECT_FALSE(frames.complete());
}

}  // namespace
}  // namespace cordon::provision
