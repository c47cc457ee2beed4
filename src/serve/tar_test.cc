#include "serve/tar.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

using Type = TarEntry::Type;

std::string FileIn(const std::string& name, const std::string& content) {
  TarEntry entry;
  entry.name = name;
  entry.mode = 0755;
  entry.size = content.size();
  return TarHeader(entry) + content + TarPadding(content.size());
}

// Names, in order; "error" for one that is none.
std::string NamesIn(std::string_view archive) {
  TarReader reader(archive);
  std::string names;
  while (true) {
    const auto item = reader.Next();
    if (!item) return names + "error";
    if (!*item) return names;
    names += (*item)->entry.name + ";";
  }
}

TEST(Tar, ReadsWhatItWrites) {
  TarEntry directory;
  directory.type = Type::kDirectory;
  directory.name = "d";
  TarEntry link;
  link.type = Type::kLink;
  link.name = "l";
  link.target = std::string(300, 't');
  const std::string longest(500, 'n');
  const std::string archive = TarHeader(directory) + FileIn("d/a", "hello") + TarHeader(link) +
                              FileIn("x/" + longest, std::string(513, 'z')) + FileIn("empty", "") +
                              TarEnd();
  EXPECT_EQ(archive.size() % 512, 0U);
  TarReader reader(archive);
  auto item = *reader.Next();
  EXPECT_EQ(item->entry.type, Type::kDirectory);
  item = *reader.Next();
  EXPECT_EQ(item->entry.name, "d/a");
  EXPECT_EQ(item->entry.mode, 0755U);
  EXPECT_EQ(item->content, "hello");
  item = *reader.Next();
  EXPECT_EQ(item->entry.target, link.target);
  item = *reader.Next();
  EXPECT_EQ(item->entry.name, "x/" + longest);
  EXPECT_EQ(item->content.size(), 513U);
  item = *reader.Next();
  EXPECT_EQ(item->entry.name, "empty");
  EXPECT_FALSE((*reader.Next()).has_value());
}

TEST(Tar, SaysHowLongADescriptionIsBeforeItsContentIsThere) {
  const std::string archive = FileIn("x/" + std::string(500, 'n'), "content") + TarEnd();
  const std::size_t whole = archive.size() - TarEnd().size() - 512;
  for (std::size_t there = 0; there < whole; ++there) {
    const auto size = TarHeadSize(std::string_view(archive).substr(0, there));
    ASSERT_TRUE(size.has_value());
    EXPECT_EQ(*size, std::nullopt) << there;
  }
  const auto size = TarHeadSize(archive);
  ASSERT_TRUE(size.has_value());
  ASSERT_EQ(*size, whole);
  TarReader reader(std::string_view(archive).substr(0, whole));
  const auto entry = reader.NextHead();
  ASSERT_TRUE(entry.has_value() && entry->has_value());
  EXPECT_EQ((*entry)->size, 7U);
  EXPECT_EQ((*entry)->name.size(), 502U);
  EXPECT_EQ(*TarHeadSize(TarEnd()), 0U);
}

TEST(Tar, RefusesNamesThatLeadOut) {
  EXPECT_EQ(NamesIn(FileIn("/etc/passwd", "x")), "error");
  EXPECT_EQ(NamesIn(FileIn("../x", "x")), "error");
  EXPECT_EQ(NamesIn(FileIn("a/../../x", "x")), "error");
  EXPECT_EQ(NamesIn(FileIn("", "x")), "error");
  EXPECT_EQ(NamesIn(FileIn("./a//b/", "x")), "a/b;");
}

TEST(Tar, RefusesOtherKindsOfFiles) {
  for (const char type : {'1', '3', '4', '6', 'S', 'Z'}) {
    std::string archive = FileIn("a", "");
    const int change = type - archive[156];
    archive[156] = type;
    // The checksum's last octal digits, as they must be now.
    int sum = std::stoi(archive.substr(148, 6), nullptr, 8) + change;
    for (int digit = 153; digit >= 148; --digit, sum >>= 3) {
      archive[static_cast<std::size_t>(digit)] = static_cast<char>('0' + (sum & 7));
    }
    EXPECT_EQ(NamesIn(archive), "error") << type;
  }
}

TEST(Tar, RefusesDamage) {
  const std::string good = FileIn("a", "hello") + TarEnd();
  EXPECT_EQ(NamesIn(good), "a;");
  for (std::size_t i = 0; i < 500; ++i) {
    if (i == 155) continue;  // what stands after the checksum means nothing
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    EXPECT_NE(NamesIn(bad), "a;") << i;
  }
  for (const std::size_t length : {1U, 511U, 513U, 516U}) {
    EXPECT_NE(NamesIn(std::string_view(good).substr(0, length)), "a;") << length;
  }
}

}  // namespace
}  // namespace cordon::serve
