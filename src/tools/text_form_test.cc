#include "tools/text_form.h"

#include <gtest/gtest.h>

#include <random>

namespace cordon::tools {
namespace {

// Whatever is taken for text goes back as it came.
TEST(TextForm, EveryTextComesBack) {
  std::mt19937 random(7);
  const std::string marks[] = {"", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"};
  int texts = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = marks[random() % 4];
    const unsigned alphabet = 1 + random() % 256;
    for (unsigned size = random() % 24; size > 0; --size) {
      bytes += static_cast<char>(random() % alphabet);
    }
    const auto decoded = DecodeText(bytes);
    if (!decoded) {
      EXPECT_EQ(decoded.error().code, ErrorCode::kNotText);
      continue;
    }
    ++texts;
    const auto encoded = EncodeText(decoded->text, decoded->form);
    ASSERT_TRUE(encoded);
    EXPECT_EQ(*encoded, bytes);
  }
  EXPECT_GT(texts, 2000);
}

TEST(TextForm, WhatAnEncodingCannotHoldIsRefused) {
  TextForm form;
  form.encoding = Encoding::kLatin1;
  EXPECT_EQ(EncodeText("caf\xC3\xA9", form).value(), "caf\xE9");
  EXPECT_FALSE(EncodeText("\xE2\x82\xAC", form));
  form.encoding = Encoding::kUtf16Le;
  EXPECT_FALSE(EncodeText("\xFF", form));
}

TEST(TextForm, LineEnds) {
  EXPECT_EQ(LineEndsOf(""), LineEnds::kNone);
  EXPECT_EQ(LineEndsOf("a"), LineEnds::kNone);
  EXPECT_EQ(LineEndsOf("a\r"), LineEnds::kNone);
  EXPECT_EQ(LineEndsOf("a\nb\n"), LineEnds::kLf);
  EXPECT_EQ(LineEndsOf("a\r\nb\r\n"), LineEnds::kCrLf);
  EXPECT_EQ(LineEndsOf("a\r\nb\n"), LineEnds::kMixed);
  EXPECT_EQ(LineEndsOf("\nb\r\n"), LineEnds::kMixed);
}

TEST(TextForm, MimeTypes) {
  EXPECT_EQ(MimeTypeOf("\x89PNG\r\n\x1a\n..."), "image/png");
  EXPECT_EQ(MimeTypeOf("RIFF....WEBP"), "image/webp");
  EXPECT_EQ(MimeTypeOf("RIFF....WAVE"), "audio/wav");
  EXPECT_EQ(MimeTypeOf("RIFF"), "application/octet-stream");
  EXPECT_EQ(MimeTypeOf(""), "application/octet-stream");
}

}  // namespace
}  // namespace cordon::tools
