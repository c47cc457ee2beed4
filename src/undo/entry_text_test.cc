#include "undo/entry_text.h"

#include <gtest/gtest.h>

#include <random>

#include "undo/history.h"

namespace cordon::undo {
namespace {

Entry Begin(OperationId id, OperationId group = 0) {
  Entry entry;
  entry.event = Event::kBegin;
  entry.id = id;
  entry.origin = {12345, "session", "actor", "write_file", "/w"};
  entry.change.id = id;
  entry.change.group = group;
  entry.change.kind = Kind::kRename;
  entry.change.path = "/w/odd \n\xff%41";
  entry.change.to = "/w/b";
  entry.change.made = {"/w/x", "/w/x/\xfe"};
  entry.change.before = {NodeType::kFile, 0640, 5, -7, Sha256("a"), Sha256("b"), "", ""};
  entry.change.before_to = {NodeType::kLink, {}, 0, 0, {}, {}, "te\nxt", ""};
  entry.change.after = {NodeType::kTree, 0755, 9, 0, {}, {}, "", "why"};
  entry.change.added = Sha256("c");
  entry.change.temporary = ".cordon-1.tmp";
  entry.last = id;
  entry.total = 99;
  return entry;
}

Entry Plain(Event event, OperationId id, OperationId undoes = 0) {
  Entry entry;
  entry.event = event;
  entry.id = id;
  entry.undoes = undoes;
  entry.change.ending = Change::Ending::kDone;
  return entry;
}

std::string LineOf(const Entry& entry) {
  std::string line = FormatEntry(entry);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  line.pop_back();
  return line;
}

TEST(EntryText, ComesBackAsItWas) {
  const Entry entry = Begin(7, 3);
  const auto read = ParseEntry(LineOf(entry));
  ASSERT_TRUE(read);
  EXPECT_EQ(FormatEntry(*read), FormatEntry(entry));
  EXPECT_EQ(read->change.path, entry.change.path);
  EXPECT_EQ(read->change.made, entry.change.made);
  EXPECT_EQ(read->change.before.modified_ns, -7);
  EXPECT_EQ(read->change.before_to.text, "te\nxt");
  EXPECT_EQ(read->change.group, 3U);
  EXPECT_EQ(read->total, 99U);
}

TEST(EntryText, ALineWithAnythingWrongIsNone) {
  const std::string line = LineOf(Begin(7));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string changed = line;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(ParseEntry(changed)) << at;
    EXPECT_FALSE(ParseEntry(line.substr(0, at))) << at;
  }
}

TEST(EntryText, TreesComeBack) {
  const std::vector<TreeNode> tree{{"", {NodeType::kDirectory, 0711, 0, 0, {}, {}, "", ""}},
                                   {"a/\xff\n", {NodeType::kLink, {}, 0, 0, {}, {}, "t", ""}}};
  const auto read = ParseTree(FormatTree(tree));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[1].path, "a/\xff\n");
  EXPECT_EQ((*read)[1].node.text, "t");
  EXPECT_FALSE(ParseTree("{}\n"));
  EXPECT_FALSE(ParseTree("no end"));
}

TEST(History, AnUndoOfAnUndoPutsTheFirstInForceAgain) {
  std::string text = FormatEntry(Begin(1)) + FormatEntry(Plain(Event::kEnd, 1));
  const auto undone_by = [&](OperationId id) { return Find(ReadHistory(text), id)->undone_by; };
  text += FormatEntry(Plain(Event::kUndo, 2, 1)) + FormatEntry(Begin(3, 2));
  EXPECT_EQ(undone_by(1), 0U);  // not complete yet
  EXPECT_FALSE(Find(ReadHistory(text), 2)->complete);
  text += FormatEntry(Plain(Event::kUndone, 2));
  EXPECT_EQ(undone_by(1), 2U);
  text += FormatEntry(Plain(Event::kUndo, 4, 2)) + FormatEntry(Plain(Event::kUndone, 4));
  EXPECT_EQ(undone_by(1), 0U);
  EXPECT_EQ(undone_by(2), 4U);
  text += FormatEntry(Plain(Event::kUndo, 5, 4)) + FormatEntry(Plain(Event::kUndone, 5));
  EXPECT_EQ(undone_by(1), 2U);
  EXPECT_EQ(undone_by(2), 0U);
  EXPECT_EQ(undone_by(4), 5U);
}

TEST(History, ChangesOfOneCallAreOneOperation) {
  const History history = ReadHistory(FormatEntry(Begin(1)) + FormatEntry(Begin(2, 1)) +
                                      FormatEntry(Begin(3)) + "torn");
  ASSERT_EQ(history.operations.size(), 2U);
  EXPECT_EQ(history.operations[0].changes.size(), 2U);
  EXPECT_TRUE(history.operations[0].complete);
  EXPECT_EQ(history.damaged, 0U);
  EXPECT_EQ(ReadHistory("damaged\n").damaged, 1U);
}

}  // namespace
}  // namespace cordon::undo
