#include "cli/audit_table.h"

#include <gtest/gtest.h>

#include "base/unicode.h"
#include "cli/cells.h"

namespace cordon::cli {
namespace {

audit::Entry Example() {
  audit::Entry entry;
  entry.time_ns = 1794750133'123456789;
  entry.event = "file.read";
  entry.tool = "read_file";
  entry.asked = "src/notes";
  entry.decision = "denied";
  entry.error = "PATH_OUTSIDE_PROJECT";
  entry.violation = "symlink";
  return entry;
}

OutputStyle Wide(std::size_t columns) {
  OutputStyle style;
  style.columns = columns;
  return style;
}

TEST(RecordRow, HasItsColumnsWhereTheHeaderHasThem) {
  const std::string header = RecordHeader(Wide(100));
  const std::string row = RecordRow(Example(), Wide(100));
  EXPECT_EQ(
      header,
      "TIME                 EVENT             DECISION TOOL       PATH                  ERROR");
  EXPECT_EQ(
      row,
      "2026-11-15T13:42:13Z file.read         denied   read_file  src/notes             symlink");
}

TEST(RecordRow, HasNoSpacesAtTheEnd) {
  audit::Entry entry;
  entry.event = "log.opened";
  EXPECT_EQ(RecordRow(entry, Wide(100)), "1970-01-01T00:00:00Z log.opened");
}

TEST(RecordRow, TellsWhatBecameOfAnOperation) {
  audit::Entry entry = Example();
  entry.violation.clear();
  entry.error.clear();
  entry.decision = "allowed";
  entry.phase = "begin";
  EXPECT_NE(RecordRow(entry, Wide(100)).find(" allowed "), std::string::npos);
  entry.phase = "end";
  EXPECT_NE(RecordRow(entry, Wide(100)).find(" done "), std::string::npos);
  entry.error = "IO_ERROR";
  EXPECT_NE(RecordRow(entry, Wide(100)).find(" failed "), std::string::npos);
  EXPECT_NE(RecordRow(entry, Wide(100)).find("IO_ERROR"), std::string::npos);
}

TEST(RecordRow, TellsWhatARecordIsAbout) {
  audit::Entry entry;
  entry.event = "log.gap";
  entry.lost = 12;
  EXPECT_TRUE(RecordRow(entry, Wide(100)).ends_with("12 records lost"));
  entry = Example();
  entry.target = "src/other";
  EXPECT_NE(RecordRow(entry, Wide(120)).find("src/notes -> src/other"), std::string::npos);
  entry = audit::Entry();
  entry.event = "consent.decided";
  entry.question = "q7";
  entry.choice = "once";
  EXPECT_NE(RecordRow(entry, Wide(100)).find("question q7"), std::string::npos);
  EXPECT_TRUE(RecordRow(entry, Wide(100)).ends_with("once"));
  entry.unprotected = true;
  EXPECT_TRUE(RecordRow(entry, Wide(100)).ends_with("once, unprotected"));
}

TEST(RecordRow, IsOneSafeLineOfTheWidthWhateverItHolds) {
  const std::string nasty = "\x1b[2J\r\n\xe2\x80\xae\xff\x9b" + std::string(300, 'x') +
                            "日本語\u0301" + std::string(1, '\0');
  audit::Entry entry = Example();
  for (std::string* field : {&entry.event, &entry.tool, &entry.asked, &entry.target,
                             &entry.decision, &entry.error, &entry.violation}) {
    *field = nasty;
  }
  for (std::size_t columns = 60; columns < 240; ++columns) {
    for (const std::string& row :
         {RecordRow(entry, Wide(columns)), RecordRow(Example(), Wide(columns)),
          RecordHeader(Wide(columns))}) {
      EXPECT_LE(CellWidth(row), columns) << row;
      std::string_view rest = row;
      while (!rest.empty()) {
        const unicode::Decoded next = unicode::DecodeFirst(rest);
        ASSERT_TRUE(next.valid && unicode::ShowsAsItself(next.code_point)) << row;
        rest.remove_prefix(next.length);
      }
    }
  }
}

TEST(RecordRow, IsColouredOnlyIfAsked) {
  OutputStyle style;
  EXPECT_EQ(RecordRow(Example(), style).find('\x1b'), std::string::npos);
  style.colour = Colour::kAnsi;
  EXPECT_NE(RecordRow(Example(), style).find("\x1b[31msymlink\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace cordon::cli
