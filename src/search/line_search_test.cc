#include "search/line_search.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <random>

namespace cordon::search {
namespace {

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> Fill(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    std::copy_n(text_.data() + at_, count, buffer.data());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

FileHits Search(const std::string& text, const std::string& pattern, const LineTerms& terms = {},
                const PatternTerms& pattern_terms = {}) {
  auto matcher = Matcher::Compile(pattern, pattern_terms);
  EXPECT_TRUE(matcher.has_value()) << pattern;
  LineSearch search(std::move(*matcher), terms);
  TextSource source(text);
  auto hits = search.Run(source);
  EXPECT_TRUE(hits.has_value());
  return std::move(*hits);
}

// "1:text" for a match, "2-text" for context.
std::string Told(const FileHits& hits) {
  std::string told;
  for (const ToldLine& line : hits.lines) {
    told += std::to_string(line.number);
    told += line.kind == ToldLine::Kind::kMatch ? ':' : '-';
    told += std::string(hits.TextOf(line)) + (line.cut ? "|cut" : "") + "\n";
  }
  return told;
}

LineTerms Context(std::size_t lines) {
  LineTerms terms;
  terms.before = terms.after = lines;
  return terms;
}

TEST(LineSearches, TellMatchingLines) {
  EXPECT_EQ(Told(Search("a foo\nbar\nfoo", "foo")), "1:a foo\n3:foo\n");
  EXPECT_EQ(Told(Search("foo\r\nbar\r\n", "foo")), "1:foo\n");
  EXPECT_EQ(Told(Search("", "foo")), "");
  EXPECT_EQ(Told(Search("\n\n", "^$")), "1:\n2:\n");
  EXPECT_EQ(Told(Search("a\n", "x*")), "1:a\n")
      << "an empty match is one; after the end is no line";
  EXPECT_EQ(Told(Search("foo foo\n", "foo")), "1:foo foo\n");
}

TEST(LineSearches, NothingMatchesAcrossLines) {
  EXPECT_EQ(Told(Search("a\nb\n", R"(a\sb)")), "");
  EXPECT_EQ(Told(Search("a\nb\n", R"(a[^x]b)")), "");
  EXPECT_EQ(Told(Search("a\nb\n", "(?s)a.b")), "");
  PatternTerms across;
  across.across = AcrossLines::kYes;
  EXPECT_EQ(Told(Search("x\na\nb\ny\n", R"(a\sb)", {}, across)), "2:a\n3:b\n");
  EXPECT_EQ(Told(Search("x\na\nb\ny\n", "a\nb", {}, across)), "2:a\n3:b\n");
}

TEST(LineSearches, Context) {
  const std::string text = "1\n2\nfoo\n4\n5\n6\nfoo\n8\n";
  EXPECT_EQ(Told(Search(text, "foo", Context(1))), "2-2\n3:foo\n4-4\n6-6\n7:foo\n8-8\n");
  EXPECT_EQ(Told(Search(text, "foo", Context(9))), "1-1\n2-2\n3:foo\n4-4\n5-5\n6-6\n7:foo\n8-8\n");
  LineTerms one = Context(1);
  one.max_matches = 1;
  EXPECT_EQ(Told(Search(text, "foo", one)), "2-2\n3:foo\n4-4\n");
}

// Lines, numbers and context are the same wherever the parts that are read end.
TEST(LineSearches, LongFilesAreAsShortOnes) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> lines;
    std::string text;
    while (text.size() < 300'000) {
      std::string line(random() % 200, 'x');
      if (random() % 400 == 0) line.assign(random() % 150'000, 'y');
      if (random() % 60 == 0) line += "needle";
      lines.push_back(line);
      text += line + "\n";
    }
    const std::size_t around = random() % 4;
    std::string expected;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto has = [&](std::size_t j) { return lines[j].ends_with("needle"); };
      bool near = false;
      for (std::size_t j = i < around ? 0 : i - around; j <= i + around && j < lines.size(); ++j) {
        near = near || has(j);
      }
      if (!near) continue;
      const bool cut = lines[i].size() > 2000;
      expected += std::to_string(i + 1) + (has(i) ? ":" : "-") + lines[i].substr(0, 2000) +
                  (cut ? "|cut" : "") + "\n";
    }
    ASSERT_EQ(Told(Search(text, round % 2 == 0 ? "needle" : "nee[d]le", Context(around))),
              expected);
  }
}

TEST(LineSearches, ANulEndsThem) {
  const FileHits near = Search(std::string("foo\nbar\0foo\n", 12), "foo");
  EXPECT_TRUE(near.binary);
  EXPECT_EQ(near.matches, 0u);
  std::string text = "foo\n";
  while (text.size() < 200'000) text += "line\n";
  text += std::string("\0foo\n", 5);
  const FileHits far = Search(text, "foo");
  EXPECT_TRUE(far.binary);
  EXPECT_EQ(Told(far), "1:foo\n");
  LineTerms count;
  count.wanted = Wanted::kCount;
  EXPECT_EQ(Search(text, "foo", count).matches, 0u);
  EXPECT_EQ(Search(std::string(8 << 20, '\0') + "\nfoo\n", "foo").matches, 0u);
}

TEST(LineSearches, ByteOrderMarks) {
  EXPECT_EQ(Told(Search("\xEF\xBB\xBF"
                        "foo\n",
                        "^foo")),
            "1:foo\n");
  EXPECT_EQ(Told(Search(std::string("\xFF\xFE"
                                    "f\0o\0o\0\xE9\0\n\0",
                                    12),
                        "foo")),
            "1:foo\xC3\xA9\n");
  EXPECT_EQ(Told(Search(std::string("\xFE\xFF"
                                    "\0f\0o\0o\xD8\x3D\xDE\x00\0\n",
                                    14),
                        "foo")),
            "1:foo\xF0\x9F\x98\x80\n");
  std::string long_text("\xFF\xFE");
  std::string expected;
  for (int i = 1; i <= 60'000; ++i) {
    for (const char c : "ab" + std::string(i % 3000 == 0 ? "Q" : "") + "\n") {
      long_text += c;
      long_text += '\0';
    }
    if (i % 3000 == 0) expected += std::to_string(i) + ":abQ\n";
  }
  EXPECT_EQ(Told(Search(long_text, "Q")), expected);
}

TEST(LineSearches, Cases) {
  const auto with = [](LetterCase letter_case) {
    PatternTerms terms;
    terms.letter_case = letter_case;
    return terms;
  };
  const std::string text = "foo\nFOO\n";
  EXPECT_EQ(Search(text, "foo", {}, with(LetterCase::kSensitive)).matches, 1u);
  EXPECT_EQ(Search(text, "foo", {}, with(LetterCase::kInsensitive)).matches, 2u);
  EXPECT_EQ(Search(text, "foo", {}, with(LetterCase::kSmart)).matches, 2u);
  EXPECT_EQ(Search(text, "Foo", {}, with(LetterCase::kSmart)).matches, 0u);
  // The third case of "k" and "s".
  EXPECT_EQ(Search("\xE2\x84\xAA"
                   "elvin\n",
                   "kelvin", {}, with(LetterCase::kInsensitive))
                .matches,
            1u);
  EXPECT_EQ(Search("ma\xC5\xBFt\n", "MAST", {}, with(LetterCase::kInsensitive)).matches, 1u);
  EXPECT_EQ(Search("\xE2\x84\xAA"
                   "elvin9\n",
                   R"(kelvin\d)", {}, with(LetterCase::kInsensitive))
                .matches,
            1u);
  EXPECT_EQ(Search("\xC3\x89t\xC3\xA9\n", "\xC3\xA9T\xC3\x89", {}, with(LetterCase::kInsensitive))
                .matches,
            1u);
}

// What the literals that a pattern needs let pass is what RE2 finds line by line.
TEST(LineSearches, AgreeWithRe2OnEveryLine) {
  const char* const patterns[] = {"foo",        "fo+bar",      "(foo|bar)baz", "[fF]oobar",
                                  "^foo",       "bar$",        "foo.*bar",     "(?i)FOOb",
                                  "x?foobar",   "(foobar)?",   "foo|bar",      "foo|b",
                                  R"(\bfoo\b)", R"(\w+bar\d)", "[^f]oo",       "(?:foo|ba[rz])",
                                  "f[o]{2}ba",  "a{3}",        "(?i)task",     "bar(?:foo)+",
                                  ".",          "^$",          "foo(bar|baz)", R"(\Qfoo\E)"};
  std::mt19937 random(11);
  const std::string_view pieces[] = {"foo", "bar", "baz", "FOO",          "x",    "\n", " ",
                                     "9",   "aaa", "tas", "\xE2\x84\xAA", "\xFF", "o",  "b"};
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::size_t i = random() % 40; i > 0; --i) text += pieces[random() % std::size(pieces)];
    const std::string pattern = patterns[random() % std::size(patterns)];
    re2::RE2::Options options;
    options.set_case_sensitive(round % 3 != 0);
    const re2::RE2 line_pattern("(?m)" + pattern, options);
    std::string expected;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      ++number;
      if (re2::RE2::PartialMatch(line, line_pattern))
        expected += std::to_string(number) + ":" + line + "\n";
      at = end + 1;
    }
    PatternTerms terms;
    terms.letter_case = round % 3 != 0 ? LetterCase::kSensitive : LetterCase::kInsensitive;
    ASSERT_EQ(Told(Search(text, pattern, {}, terms)), expected) << pattern << " in " << text;
  }
}

TEST(Patterns, AreRefused) {
  for (const char* pattern : {"", "(", "[", "a{99999}", "a\nb", "\\", "(?=a)"}) {
    const auto matcher = Matcher::Compile(pattern, {});
    ASSERT_FALSE(matcher.has_value()) << pattern;
    EXPECT_EQ(matcher.error().code, ErrorCode::kInvalidArguments);
  }
}

}  // namespace
}  // namespace cordon::search
