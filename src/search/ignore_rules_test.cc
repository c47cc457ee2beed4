#include "search/ignore_rules.h"

#include <gtest/gtest.h>

namespace cordon::search {
namespace {

struct Case {
  const char* rules;
  const char* path;  // a directory if it ends in "/"
  IgnoreVerdict verdict;
};

constexpr IgnoreVerdict kNone = IgnoreVerdict::kNone;
constexpr IgnoreVerdict kIgnore = IgnoreVerdict::kIgnore;
constexpr IgnoreVerdict kKeep = IgnoreVerdict::kKeep;

TEST(IgnoreFiles, Judge) {
  const Case cases[] = {
      {"*.o", "a.o", kIgnore},
      {"*.o", "x/y/a.o", kIgnore},
      {"*.o\n!b.o", "b.o", kKeep},
      {"!b.o\n*.o", "b.o", kIgnore},
      {"target/", "target/", kIgnore},
      {"target/", "target", kNone},
      {"target/", "x/target/", kIgnore},
      {"/target", "target", kIgnore},
      {"/target", "x/target", kNone},
      {"a/b", "a/b", kIgnore},
      {"a/b", "x/a/b", kNone},
      {"a/*.c", "a/x.c", kIgnore},
      {"a/*.c", "a/b/x.c", kNone},
      {"a/**", "a/", kNone},
      {"a/**", "a/b/c", kIgnore},
      {"**/a", "x/y/a", kIgnore},
      {"a/**/b", "a/b", kIgnore},
      {"# comment", "# comment", kNone},
      {"\\#x", "#x", kIgnore},
      {"\\!x", "!x", kIgnore},
      {"x  ", "x", kIgnore},
      {"x\\ ", "x ", kIgnore},
      {"x\t", "x", kIgnore},
      {"\n\n\nx", "x", kIgnore},
      {"x\r\ny\r\n", "x", kIgnore},
      {"\xEF\xBB\xBFx", "x", kIgnore},
      {"[", "[", kNone},
      {"[\nx", "x", kIgnore},
      {"*", "anything", kIgnore},
      {"*\n!*/", "d/", kKeep},
      {"*.[oa]", "l.a", kIgnore},
      {"*.{o,a}", "l.a", kIgnore},
      {"Foo", "foo", kNone},
      {"foo.*", "foo.bar", kIgnore},
      {"/*\n!/a", "a", kKeep},
      {"/*\n!/a", "x/b", kNone},
      {"a\\/", "a/", kIgnore},
  };
  for (const Case& one : cases) {
    std::string_view path = one.path;
    const EntryKind kind = path.ends_with('/') ? EntryKind::kDirectory : EntryKind::kFile;
    if (kind == EntryKind::kDirectory) path.remove_suffix(1);
    EXPECT_EQ(IgnoreRules::Parse(one.rules).Judge(path, kind), one.verdict)
        << one.rules << " on " << one.path;
  }
}

TEST(IgnoreFiles, ManyRulesDoNotSlowDownEachName) {
  std::string text;
  for (int i = 0; i < 15'000; ++i)
    text += "name" + std::to_string(i) + "\n*.e" + std::to_string(i) + "\n";
  const IgnoreRules rules = IgnoreRules::Parse(text);
  EXPECT_EQ(rules.Judge("x/name7000", EntryKind::kFile), kIgnore);
  EXPECT_EQ(rules.Judge("x/y.e9999", EntryKind::kFile), kIgnore);
  EXPECT_EQ(rules.Judge("x/name", EntryKind::kFile), kNone);
}

}  // namespace
}  // namespace cordon::search
