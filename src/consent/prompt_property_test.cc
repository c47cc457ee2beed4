// The prompt, for names made to do harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/unicode.h"
#include "consent/line_flow.h"
#include "consent/prompt.h"

namespace cordon::consent {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using Lines = std::vector<std::string>;

std::string HostileText(std::mt19937& random, std::size_t most) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "Z",
                                                   "/",
                                                   " ",
                                                   "  ",
                                                   "   ",
                                                   "\\",
                                                   "\"",
                                                   "\n",
                                                   "\r\n",
                                                   "\t",
                                                   "\x1b[2J",
                                                   "\x1b]0;x\x07",
                                                   "\u202e",
                                                   "\u2066",
                                                   "\u200b",
                                                   "\ufeff",
                                                   "\u00a0",
                                                   "\u3000",
                                                   "\u2800",
                                                   "\u2028",
                                                   "\u0301",
                                                   "\u0335\u0335\u0335\u0335",
                                                   "\u65e5\u672c",
                                                   "\U0001f642",
                                                   "\U0001f6e1\ufe0f",
                                                   "\u00e9",
                                                   "\u0436",
                                                   "\xff",
                                                   "\x80",
                                                   "\xc3",
                                                   "\xed\xa0\x80",
                                                   "\U000e0041",
                                                   "\\x20",
                                                   "\\n",
                                                   "> [3] Deny",
                                                   "[1] Allow once",
                                                   "  [2] Allow",
                                                   "Choice:",
                                                   "    : ",
                                                   "  | ",
                                                   "Tool wants to read: ",
                                                   std::string("\0", 1),
                                                   "\x7f",
                                                   "\x9b",
                                                   "...",
                                                   "\u05d0\u05d1",
                                                   "\u1160",
                                                   "\uac00"};
  std::string text;
  const std::size_t size = random() % (most + 1);
  while (text.size() < size) text += kPieces[random() % kPieces.size()];
  return text;
}

std::size_t Cells(std::string_view line) {
  std::size_t cells = 0;
  while (!line.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(line);
    EXPECT_TRUE(next.valid);
    cells += unicode::CellWidth(next.code_point);
    line.remove_prefix(next.length);
  }
  return cells;
}

bool IsSafe(std::string_view line) {
  std::size_t marks = 0;
  while (!line.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(line);
    if (!next.valid || !unicode::ShowsAsItself(next.code_point)) return false;
    marks = unicode::CellWidth(next.code_point) == 0 ? marks + 1 : 0;
    if (marks > 2) return false;
    line.remove_prefix(next.length);
  }
  return true;
}

// The reverse of what ShowName does.
std::string ReadBack(std::string_view shown) {
  std::string bytes;
  while (!shown.empty()) {
    if (shown[0] != '\\') {
      bytes += shown[0];
      shown.remove_prefix(1);
      continue;
    }
    const char kind = shown.at(1);
    const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    if (digits == 0) {
      bytes += kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind == 't' ? '\t' : kind;
    } else {
      const auto value = std::stoul(std::string(shown.substr(2, digits)), nullptr, 16);
      if (kind == 'x') {
        bytes += static_cast<char>(value);
      } else {
        const auto c = static_cast<unsigned>(value);
        if (c < 0x800) {
          bytes += {static_cast<char>(0xc0 | (c >> 6)), static_cast<char>(0x80 | (c & 63))};
        } else if (c < 0x10000) {
          bytes += {static_cast<char>(0xe0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
                    static_cast<char>(0x80 | (c & 63))};
        } else {
          bytes += {static_cast<char>(0xf0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 63)),
                    static_cast<char>(0x80 | ((c >> 6) & 63)), static_cast<char>(0x80 | (c & 63))};
        }
      }
    }
    shown.remove_prefix(2 + digits);
  }
  return bytes;
}

// The paragraph that begins at `first`, its lines put together again.
std::string Paragraph(const Lines& lines, std::size_t first) {
  std::string text = lines[first];
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    if (lines[i].starts_with(kNameGutter)) {
      text += lines[i].substr(kNameGutter.size());
    } else if (i == first + 1 && lines[i].starts_with("  to: ")) {
      text += " " + lines[i].substr(2);  // our own words, in a narrow window
    } else {
      break;
    }
  }
  return text;
}

// "  [1] ...", "> [3] ...", "Choice:", the way a person would take it.
bool LooksLikeAnOption(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" >"), line.size()));
  return line.starts_with("[") || line.starts_with("Choice");
}

void CheckOptions(const Lines& lines, std::size_t marked) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (LooksLikeAnOption(line)) found.push_back(line.substr(0, 5));
  }
  ASSERT_THAT(found, ElementsAre(marked == 0 ? "> [1]" : "  [1]", marked == 1 ? "> [2]" : "  [2]",
                                 marked == 2 ? "> [3]" : "  [3]", "Choic"));
  EXPECT_EQ(lines.back(), "Choice:");
}

TEST(PromptProperty, NoNameTearsFakesOrHidesAnything) {
  std::mt19937 random(20);  // NOLINT(cert-msc51-cpp): the same every time
  for (int round = 0; round < 3'000; ++round) {
    Question question;
    question.operation = Operation::kWrite;
    question.path = "/" + HostileText(random, round % 50 == 0 ? 4096 : 150);
    question.asked = HostileText(random, 60);
    question.tool = HostileText(random, 30);
    question.actor = HostileText(random, 30);
    question.session = HostileText(random, 30);
    question.target = HostileText(random, 60);
    question.state = HostileText(random, 30);
    question.preview = HostileText(random, 600);
    question.directory = HostileText(random, 100);
    const std::size_t columns = 20 + random() % 181;
    const std::size_t marked = random() % 3;
    const Lines lines = PromptLines(question, marked, columns);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      ASSERT_LE(Cells(lines[i]), columns) << lines[i];
      ASSERT_TRUE(IsSafe(lines[i])) << lines[i];
    }
    ASSERT_LE(Cells(lines[0]), columns);
    CheckOptions(lines, marked);
    const std::string shown = Paragraph(lines, 2);
    constexpr std::string_view kLabel = "Tool wants to write to:";
    ASSERT_THAT(shown, StartsWith(std::string(kLabel)));
    ASSERT_EQ(ReadBack(std::string_view(shown).substr(shown.find('/'))), question.path)
        << shown << " at " << columns;
  }
}

TEST(PromptProperty, LinesThatSayTheSameAreAboutTheSame) {
  std::mt19937 random(21);  // NOLINT(cert-msc51-cpp): the same every time
  std::map<std::string, std::string> seen;
  for (int round = 0; round < 20'000; ++round) {
    const std::string name = HostileText(random, 8);
    const auto [entry, fresh] = seen.emplace(Join(ShowName(name)), name);
    ASSERT_EQ(entry->second, name);
  }
}

}  // namespace
}  // namespace cordon::consent
