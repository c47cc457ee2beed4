#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>
#include <string>

#include "tools/dialect/collation.h"
#include "tools/dialect/hunks.h"
#include "tools/dialect/js_text.h"
#include "tools/dialect/strict_check.h"
#include "tools/dialect/words.h"
#include "tools/dialects.h"
#include "tools/menu.h"
#include "tools/registry.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

bool Has(Fields fields, std::string_view name) {
  return std::ranges::find(fields, name, &Field::name) != fields.end();
}

TEST(Dialects, EveryMenuIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const Menu* const menu : AllMenus()) {
    EXPECT_TRUE(names.insert(menu->name()).second) << menu->name();
    EXPECT_EQ(FindMenu(menu->name()), menu);
  }
  for (const auto* const expected :
       {"cordon", "mcp-filesystem", "gemini", "lighthouse", "lace", "claude", "openhands"}) {
    EXPECT_TRUE(names.contains(expected)) << expected;
  }
  EXPECT_EQ(FindMenu("esperanto"), nullptr);
}

TEST(Dialects, EveryBindingNamesFieldsThatAreThere) {
  for (const DialectMenu* const menu : AllDialects()) {
    for (const Row& row : menu->dialect().rows) {
      SCOPED_TRACE(std::string(menu->name()) + " " + std::string(row.name));
      EXPECT_EQ(FindTool(row.tool->name), row.tool);
      for (const Binding& binding : row.bindings) {
        EXPECT_TRUE(Has(row.tool->input, binding.ours)) << binding.ours;
        const int sources = (binding.theirs.empty() ? 0 : 1) +
                            (binding.convert == nullptr ? 0 : 1) +
                            (binding.constant.empty() ? 0 : 1);
        EXPECT_EQ(sources, 1) << binding.ours;
        if (!binding.theirs.empty()) {
          EXPECT_TRUE(Has(row.input, binding.theirs)) << binding.theirs;
        }
        json::error_code failed;
        if (!binding.constant.empty()) json::parse(binding.constant, failed);
        EXPECT_FALSE(failed) << binding.constant;
      }
      for (const Field& field : row.tool->input) {
        if (field.need == Need::kOptional) continue;
        EXPECT_NE(std::ranges::find(row.bindings, field.name, &Binding::ours), row.bindings.end())
            << field.name << " is needed and comes from nowhere";
      }
    }
  }
}

TEST(Dialects, RowsOfOneToolStandTogetherAndAgree) {
  for (const DialectMenu* const menu : AllDialects()) {
    std::set<std::string_view> seen;
    const Row* last = nullptr;
    for (const Row& row : menu->dialect().rows) {
      SCOPED_TRACE(std::string(menu->name()) + " " + std::string(row.name));
      if (last != nullptr && last->name == row.name) {
        EXPECT_EQ(row.input.data(), last->input.data());
        EXPECT_EQ(row.output.data(), last->output.data());
        EXPECT_FALSE(row.when.empty());
      } else {
        EXPECT_TRUE(seen.insert(row.name).second);
      }
      last = &row;
    }
    EXPECT_EQ(menu->Declarations().size(), seen.size());
  }
}

TEST(Dialects, AToolThatOnlyTellsHasNoneBehindItThatDoesMore) {
  for (const DialectMenu* const menu : AllDialects()) {
    for (const Row& row : menu->dialect().rows) {
      if (row.effect != Effect::kNone) continue;
      EXPECT_EQ(row.tool->effect, Effect::kNone) << menu->name() << " " << row.name;
    }
  }
}

TEST(Dialects, BehindSeveralCasesIsTheOneWithTheMostEffect) {
  const Menu* const menu = FindMenu("openhands");
  ASSERT_NE(menu, nullptr);
  EXPECT_EQ(menu->Behind("str_replace_editor")->effect, Effect::kReplaces);
  EXPECT_EQ(menu->Behind("bash"), nullptr);
}

TEST(StrictCheck, TellsEveryFault) {
  static constexpr Field kInner[] = {{"a", FieldType::kText, Need::kRequired, ""}};
  static constexpr std::string_view kChoices[] = {"x", "y"};
  static constexpr Field kFields[] = {
      {"path", FieldType::kText, Need::kRequired, ""},
      {"count", FieldType::kInteger, Need::kOptional, ""},
      {.name = "list", .type = FieldType::kTextList, .description = "", .least = 1},
      {.name = "pairs", .type = FieldType::kObjectList, .description = "", .fields = kInner},
      {"sort", FieldType::kText, Need::kOptional, "", kChoices},
  };
  const auto told = [&](std::string_view given) {
    const Status status = CheckStrictly(kFields, json::parse(given).as_object());
    return status ? std::string("fine") : status.error().detail;
  };
  EXPECT_EQ(told(R"({"path": "a", "other": 1})"), "fine");
  EXPECT_EQ(told("{}"), "Invalid input: expected string, received undefined at path");
  EXPECT_EQ(told(R"({"path": null, "count": "1"})"),
            "Invalid input: expected string, received null at path\n"
            "Invalid input: expected number, received string at count");
  EXPECT_EQ(told(R"({"path": "a", "list": []})"),
            "Too small: expected array to have >=1 items at list");
  EXPECT_EQ(told(R"({"path": "a", "pairs": [{"a": "b"}, {}, 3]})"),
            "Invalid input: expected string, received undefined at pairs[1].a\n"
            "Invalid input: expected object, received number at pairs[2]");
  EXPECT_EQ(told(R"({"path": "a", "sort": "z"})"),
            "Invalid option: expected one of \"x\"|\"y\" at sort");
}

TEST(JsText, WritesValuesAsJavaScriptDoes) {
  EXPECT_EQ(JsDate("2026-11-15T13:42:13.123Z"),
            "Sun Nov 15 2026 13:42:13 GMT+0000 (Coordinated Universal Time)");
  EXPECT_EQ(JsDate("never"), "never");
  EXPECT_EQ(JsSize(0), "0 B");
  EXPECT_EQ(JsSize(1023), "1023 B");
  EXPECT_EQ(JsSize(1024), "1.00 KB");
  EXPECT_EQ(JsSize(5007), "4.89 KB");
  EXPECT_EQ(JsSize(1'500'000), "1.43 MB");
  EXPECT_EQ(JsSize(std::int64_t{5} << 50), "5120.00 TB");
  EXPECT_EQ(PadEnd("日本", 4), "日本  ");
  EXPECT_EQ(PadStart("😀", 3), " 😀");
}

TEST(JsText, LastLinesCountsTheEmptyOneAtTheEnd) {
  EXPECT_EQ(LastLines("a\nb\nc\n", 1), "");
  EXPECT_EQ(LastLines("a\nb\nc\n", 2), "c\n");
  EXPECT_EQ(LastLines("a\nb\nc", 2), "b\nc");
  EXPECT_EQ(LastLines("a\nb", 9), "a\nb");
  EXPECT_EQ(LastLines("", 3), "");
  EXPECT_EQ(LastLines("\n", 2), "\n");
}

TEST(Collation, ReadsAsPeopleDo) {
  const std::vector<std::string> expected{"_under", "10.txt", "2.txt",  "apple", "Apple",
                                          "Banana", "café",   "cherry", "日本"};
  std::vector<std::string> names(expected.rbegin(), expected.rend());
  std::ranges::sort(names, ReadsBefore);
  EXPECT_EQ(names, expected);
}

TEST(Hunks, AreReadFromADiff) {
  const std::string diff = "--- a\n+++ a\n@@ -1 +1,2 @@\n-old\n+new\n+more\n@@ -9,2 +10,2 @@\n x\n";
  const auto hunks = HunksOf(diff);
  ASSERT_EQ(hunks.size(), 2U);
  EXPECT_EQ(hunks[0].old_count, 1);
  EXPECT_EQ(hunks[0].new_count, 2);
  EXPECT_EQ(hunks[1].new_first, 10);
  EXPECT_EQ(NumberedSnippet(diff), "     1\tnew\n     2\tmore\n    10\tx\n");
}

TEST(Words, AreFilledFromDataAndThenFromTheCall) {
  constexpr Field kFields[] = {{"old", FieldType::kText, Need::kOptional, ""}};
  const auto given = Arguments::Parse(kFields, {{"old", "{path}"}});
  ASSERT_TRUE(given);
  const json::object data{{"path", "a"}, {"n", 3}, {"lines", json::array{1, 2}}};
  EXPECT_EQ(Fill("{path}: {n} at {lines}, {old}, {none}.", data, *given),
            "a: 3 at 1, 2, {path}, .");
  EXPECT_EQ(Fill("open {path", data, *given), "open a");
}

}  // namespace
}  // namespace cordon::tools::dialect
