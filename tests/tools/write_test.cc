// Tools that change files: what they keep, what they refuse, what they leave behind.
#include <sys/mount.h>
#include <sys/resource.h>

#include "base/base64.h"
#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class Writing : public ToolTest {};

TEST_F(Writing, AFileIsMadeWithItsParents) {
  EXPECT_EQ(Told("write_file", R"({"path": "n/m/f", "content": "hi"})"),
            R"({"path":"n/m/f","created":true,"bytes":2,"etag":")" + ToHex(Sha256("hi")) + "\"}");
  EXPECT_EQ(ReadFile(At("w/n/m/f")), "hi");
  EXPECT_EQ(CallCode("write_file", R"({"path": "p/f", "content": "", "create_parents": false})"),
            "NOT_FOUND");
  EXPECT_FALSE(Exists(At("w/p")));
}

TEST_F(Writing, ChangedPathsAreTold) {
  const tools::Outcome written = Call("write_file", R"({"path": "n/m/f", "content": "hi"})");
  ASSERT_TRUE(written);
  EXPECT_EQ(written->changed, (std::vector<std::string>{"n", "n/m", "n/m/f"}));
}

TEST_F(Writing, AFailedWriteTakesItsParentsBack) {
  const std::string before = Tree();
  EXPECT_EQ(CallCode("write_file", R"({"path": "n/m/.env", "content": "x"})"), "PATH_DENIED");
  EXPECT_EQ(CallCode("write_file",
                     "{\"path\": \"n/m/" + std::string(256, 'n') + "\", \"content\": \"x\"}"),
            "INVALID_PATH");
  EXPECT_EQ(Tree(), before);
}

TEST_F(Writing, OverwriteAndIfMatch) {
  EXPECT_EQ(CallCode("write_file", R"({"path": "a", "content": "x", "overwrite": false})"),
            "ALREADY_EXISTS");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  const std::string etag = ToHex(Sha256("inside"));
  const std::string stale = ToHex(Sha256("other"));
  EXPECT_EQ(
      CallCode("write_file", R"({"path": "a", "content": "x", "if_match": ")" + stale + "\"}"),
      "STALE_FILE");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_EQ(CallCode("write_file", R"({"path": "a", "content": "x", "if_match": ")" + etag + "\"}"),
            "done");
  EXPECT_EQ(ReadFile(At("w/a")), "x");
  EXPECT_EQ(CallCode("write_file", R"({"path": "a", "content": "y", "if_match": "nonsense"})"),
            "INVALID_ARGUMENTS");
  EXPECT_EQ(
      CallCode("write_file", R"({"path": "gone", "content": "y", "if_match": ")" + etag + "\"}"),
      "NOT_FOUND");
}

// Whether a guess at the content is right is something only a reader may learn.
TEST_F(Writing, IfMatchTellsNothingOfWhatMayNotBeRead) {
  policy::DenyRule rule;
  rule.pattern = "a";
  rule.operations = {};
  rule.operations.set(static_cast<std::size_t>(Operation::kRead));
  settings_.deny.push_back(rule);
  Start();
  for (const char* guess : {"inside", "other"}) {
    EXPECT_EQ(CallCode("write_file", R"({"path": "a", "content": "x", "if_match": ")" +
                                         ToHex(Sha256(guess)) + "\"}"),
              "PATH_DENIED");
  }
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_EQ(CallCode("write_file", R"({"path": "a", "content": "x"})"), "done");
}

TEST_F(Writing, ALinkThatLeadsNowhereIsFollowedUnlessTold) {
  ASSERT_EQ(::symlink("made", At("w/nowhere").c_str()), 0);
  ASSERT_EQ(::symlink("a", At("w/somewhere").c_str()), 0);
  EXPECT_EQ(
      CallCode("write_file", R"({"path": "nowhere", "content": "x", "follow_dangling": false})"),
      "NOT_FOUND");
  EXPECT_FALSE(Exists(At("w/made")));
  EXPECT_EQ(CallCode("write_file", R"({"path": "new", "content": "x", "follow_dangling": false})"),
            "done");
  EXPECT_EQ(
      CallCode("write_file", R"({"path": "somewhere", "content": "x", "follow_dangling": false})"),
      "done");
  EXPECT_EQ(ReadFile(At("w/a")), "x");
  EXPECT_EQ(CallCode("write_file", R"({"path": "nowhere", "content": "x"})"), "done");
  EXPECT_EQ(ReadFile(At("w/made")), "x");
}

TEST_F(Writing, Modes) {
  EXPECT_EQ(CallCode("write_file", R"({"path": "run", "content": "x", "mode": "0750"})"), "done");
  struct stat stat;
  ASSERT_EQ(::stat(At("w/run").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 07777U, 0750u);
  EXPECT_EQ(CallCode("write_file", R"({"path": "run", "content": "y"})"), "done");
  ASSERT_EQ(::stat(At("w/run").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 07777U, 0750u) << "kept";
  for (const char* mode : {"4755", "rwx", "", "8", "0x1ff"}) {
    EXPECT_EQ(CallCode("write_file",
                       R"({"path": "run", "content": "z", "mode": ")" + std::string(mode) + "\"}"),
              "INVALID_ARGUMENTS")
        << mode;
  }
  EXPECT_EQ(ReadFile(At("w/run")), "y");
}

TEST_F(Writing, BytesAsBase64) {
  const std::string bytes("\0\xFF\n", 3);
  EXPECT_EQ(CallCode("write_file", R"({"path": "b", "encoding": "base64", "content": ")" +
                                       Base64Encode(bytes) + "\"}"),
            "done");
  EXPECT_EQ(ReadFile(At("w/b")), bytes);
  EXPECT_EQ(CallCode("write_file", R"({"path": "b", "encoding": "base64", "content": "!"})"),
            "INVALID_ARGUMENTS");
}

TEST_F(Writing, Append) {
  EXPECT_EQ(CallCode("append_file", R"({"path": "a", "content": " more"})"), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "inside more");
  EXPECT_EQ(CallCode("append_file", R"({"path": "x/y", "content": "new"})"), "done");
  EXPECT_EQ(ReadFile(At("w/x/y")), "new");
  EXPECT_EQ(
      CallCode("append_file", R"({"path": "q/y", "content": "new", "create_parents": false})"),
      "NOT_FOUND");
}

TEST_F(Writing, InsertedLinesFitTheFile) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string utf16(
      "\xFF\xFE"
      "a\0\n\0",
      6);
  const struct {
    std::string before;
    int line;
    std::string content, after;
  } cases[] = {
      {"a\nb\n", 0, "x", "x\na\nb\n"},
      {"a\nb\n", 1, "x\ny", "a\nx\ny\nb\n"},
      {"a\nb\n", 2, "x\n", "a\nb\nx\n"},
      {"a\nb\n", -1, "x", "a\nb\nx\n"},
      {"a\nb", -1, "x", "a\nb\nx"},
      {"a\nb", 2, "x\n", "a\nb\nx"},
      {"a\nb", 1, "x", "a\nx\nb"},
      {"a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"},
      {"a\r\nb", -1, "x", "a\r\nb\r\nx"},
      {mark + "a\n", 0, "x", mark + "x\na\n"},
      {"", 0, "x", "x\n"},
      {"", -1, "x", "x\n"},
      {utf16, 1, "x", utf16 + std::string("x\0\n\0", 4)},
  };
  for (const auto& one : cases) {
    WriteFile(At("w/f"), one.before);
    json::object arguments{{"path", "f"}, {"line", one.line}, {"content", one.content}};
    const tools::Outcome done = Call("insert_lines", arguments);
    ASSERT_TRUE(done) << one.before << CodeOf(done);
    EXPECT_EQ(ReadFile(At("w/f")), one.after);
    EXPECT_EQ(done->data.at("etag").as_string(), ToHex(Sha256(one.after)));
  }
  WriteFile(At("w/f"), "a\nb");
  EXPECT_EQ(CallCode("insert_lines", R"({"path": "f", "line": 3, "content": "x"})"),
            "INVALID_ARGUMENTS");
  EXPECT_EQ(
      CallCode("insert_lines", R"({"path": "f", "line": 1, "content": "x", "dry_run": true})"),
      "done");
  EXPECT_EQ(ReadFile(At("w/f")), "a\nb");
  WriteFile(At("w/f"), std::string("\0\1", 2));
  EXPECT_EQ(CallCode("insert_lines", R"({"path": "f", "line": 0, "content": "x"})"), "NOT_TEXT");
}

TEST_F(Writing, MoveDoesNotReplaceUnlessTold) {
  WriteFile(At("w/b"), "bee");
  EXPECT_EQ(CallCode("move_path", R"({"source": "a", "destination": "b"})"), "ALREADY_EXISTS");
  EXPECT_EQ(ReadFile(At("w/b")), "bee");
  EXPECT_EQ(CallCode("move_path", R"({"from": "a", "to": "b", "overwrite": "true"})"), "done");
  EXPECT_EQ(ReadFile(At("w/b")), "inside");
  EXPECT_FALSE(Exists(At("w/a")));
  EXPECT_EQ(CallCode("move_path", R"({"source": "b", "destination": "../o/b"})"),
            "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CallCode("move_path", R"({"source": "b", "destination": ".env"})"), "PATH_DENIED");
}

TEST_F(Writing, Copies) {
  ASSERT_EQ(::chmod(At("w/a").c_str(), 0751), 0);
  EXPECT_EQ(CallCode("copy_path", R"({"source": "a", "destination": "x/c"})"), "done");
  EXPECT_EQ(ReadFile(At("w/x/c")), "inside");
  struct stat stat;
  ASSERT_EQ(::stat(At("w/x/c").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 0777U, 0751u);
  EXPECT_EQ(CallCode("copy_path", R"({"source": "a", "destination": "x/c"})"), "ALREADY_EXISTS");
  EXPECT_EQ(CallCode("copy_path", R"({"source": "a", "destination": "x/c", "overwrite": true})"),
            "done");
  ASSERT_EQ(::symlink("c", At("w/x/l").c_str()), 0);
  EXPECT_EQ(CallCode("copy_path", R"({"source": "x", "destination": "y", "recursive": true})"),
            "done");
  EXPECT_EQ(ReadFile(At("w/y/c")), "inside");
  EXPECT_EQ(std::filesystem::read_symlink(At("w/y/l")), "c");
  EXPECT_EQ(CallCode("copy_path", R"({"source": "x", "destination": "x/z", "recursive": true})"),
            "INVALID_ARGUMENTS");
  EXPECT_EQ(CallCode("copy_path", R"({"source": "x", "destination": "y", "recursive": true})"),
            "ALREADY_EXISTS");
}

TEST_F(Writing, ACopyThatFailsLeavesNothing) {
  ASSERT_EQ(::mkdir(At("w/t").c_str(), 0755), 0);
  WriteFile(At("w/t/1"), "one");
  ASSERT_EQ(::symlink("../../o/f", At("w/t/2").c_str()), 0);  // leads out: cannot be copied
  const std::string before = Tree();
  EXPECT_EQ(CallCode("copy_path", R"({"source": "t", "destination": "u", "recursive": true})"),
            "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(Tree(), before);
}

TEST_F(Writing, Deletes) {
  WriteFile(At("w/sub/f"), "x");
  const std::string before = Tree();
  EXPECT_NE(CallCode("delete_path", R"({"path": "sub"})"), "done");
  EXPECT_EQ(Tree(), before);
  EXPECT_EQ(CallCode("delete_path", R"({"path": "sub", "recursive": true})"), "done");
  EXPECT_FALSE(Exists(At("w/sub")));
  EXPECT_NE(CallCode("delete_path", R"({"path": ".", "recursive": true})"), "done");
  EXPECT_TRUE(Exists(At("w/a")));
}

// A disk without room: the old content stays, no temporary file does.
TEST_F(Writing, NoSpaceLeft) {
  ASSERT_EQ(::mkdir(At("w/small").c_str(), 0755), 0);
  if (const std::string why = EnterMountNamespace(); !why.empty()) GTEST_SKIP() << why;
  if (::mount("cordon", At("w/small").c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "mounting a small file system needs the right to mount";
  }
  WriteFile(At("w/small/f"), "old\n");
  settings_.roots = {At("w/small")};
  Start();
  const std::string much(200'000, 'x');
  const struct {
    const char* tool;
    json::object arguments;
  } calls[] = {
      {"write_file", {{"path", "f"}, {"content", much}}},
      {"write_file", {{"path", "n/m/new"}, {"content", much}}},
      {"insert_lines", {{"path", "f"}, {"line", 0}, {"content", much}}},
  };
  for (const auto& call : calls) {
    const tools::Outcome outcome = Call(call.tool, call.arguments);
    EXPECT_EQ(CodeOf(outcome), "LIMIT_EXCEEDED") << call.tool;
    EXPECT_EQ(ReadFile(At("w/small/f")), "old\n");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(At("w/small")), {}), 1);
  }
  ::umount2(At("w/small").c_str(), MNT_DETACH);
}

TEST_F(Writing, NoDescriptorsLeft) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  const std::string tree = Tree();
  // From none at all to enough.
  std::string last;
  for (int spare = 0; spare < 24; ++spare) {
    const rlimit few{static_cast<rlim_t>(next + spare), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    last = CallCode("write_file", R"({"path": "n/f", "content": "new"})");
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    if (last == "done") break;
    EXPECT_EQ(last, "LIMIT_EXCEEDED") << spare;
    // Too few to remove a directory may be enough to make one.
    std::filesystem::remove(At("w/n"));
    EXPECT_EQ(Tree(), tree) << spare;
  }
  EXPECT_EQ(last, "done");
}

}  // namespace
}  // namespace cordon::testing
