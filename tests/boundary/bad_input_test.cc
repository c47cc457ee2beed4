// Bytes that are no proper path: refused clearly, on every operation, with nothing
// created, changed or disclosed. And strange names that are proper.
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class BadInput : public PerResolver {
 protected:
  // Every operation's answer to one path.
  static std::vector<std::string> AskAll(const confine::Root& root, const std::string& path) {
    std::vector<std::string> answers;
    const auto note = [&](const char* what, const auto& result) {
      answers.push_back(std::string(what) + ": " +
                        (result ? "allow" : std::string(ErrorCodeName(result.error().code))));
    };
    for (const auto mode :
         {confine::OpenMode::kRead, confine::OpenMode::kWrite, confine::OpenMode::kReadWrite,
          confine::OpenMode::kCreate, confine::OpenMode::kCreateExclusive}) {
      note("open", root.Open(path, mode));
    }
    note("replace", root.Replace(path));
    note("append", root.Append(path, "x"));
    note("stat", root.Stat(path, confine::FinalSymlink::kFollow));
    note("lstat", root.Stat(path, confine::FinalSymlink::kNoFollow));
    note("list", root.List(path));
    note("walk", root.Walk(path, {}, [](const auto&) { return confine::WalkStep::kContinue; }));
    note("mkdir", root.Mkdir(path));
    note("mkdir_all", root.MkdirAll(path));
    note("remove", root.Remove(path));
    note("remove_all", root.RemoveAll(path));
    note("readlink", root.ReadLink(path));
    note("symlink", root.Symlink("f", path));
    note("rename from", root.Rename(path, root, "elsewhere"));
    note("rename to", root.Rename("f", root, path));
    for (const auto operation :
         {Operation::kRead, Operation::kWrite, Operation::kCreate, Operation::kDelete,
          Operation::kList, Operation::kStat, Operation::kMkdir, Operation::kRename}) {
      note("probe", root.Probe(path, operation));
    }
    return answers;
  }

  void ExpectAll(const std::string& path, ErrorCode code) {
    const auto root = Open();
    const Snapshot inside = Inside();
    const Snapshot outside = Outside();
    for (const std::string& answer : AskAll(root, path)) {
      EXPECT_TRUE(answer.ends_with(": " + std::string(ErrorCodeName(code)))) << answer;
    }
    EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
    EXPECT_TRUE(Compare(outside, Outside()).empty());
  }
};
CORDON_PER_RESOLVER(BadInput);

TEST_P(BadInput, EmptyNulAndTooLong) {
  Given({FileWith("root/f", "x"), Dir("root/d")});
  ExpectAll("", ErrorCode::kInvalidPath);
  ExpectAll(std::string(1, '\0'), ErrorCode::kInvalidPath);
  ExpectAll(std::string("f\0", 2), ErrorCode::kInvalidPath);
  ExpectAll(std::string("d/\0/../../outside/secret", 24), ErrorCode::kInvalidPath);
  ExpectAll(std::string(100'000, 'a'), ErrorCode::kInvalidPath);
}

TEST_P(BadInput, EveryOperationKnowsTheBoundary) {
  Given({FileWith("root/f", "x"), Link("root/out", "../outside"),
         Link("root/abs", "${SCRATCH}/outside")});
  ExpectAll("..", ErrorCode::kPathOutsideProject);
  ExpectAll("../", ErrorCode::kPathOutsideProject);
  ExpectAll("../outside/secret", ErrorCode::kPathOutsideProject);
  ExpectAll("../root/f", ErrorCode::kPathOutsideProject);
  ExpectAll("/etc/passwd", ErrorCode::kPathOutsideProject);
  ExpectAll("/", ErrorCode::kPathOutsideProject);
  ExpectAll("//", ErrorCode::kPathOutsideProject);
  ExpectAll("out/secret", ErrorCode::kPathOutsideProject);
  ExpectAll("out/new", ErrorCode::kPathOutsideProject);
  ExpectAll("abs/secret", ErrorCode::kPathOutsideProject);
  ExpectAll("out/../root/f", ErrorCode::kPathOutsideProject);
  ExpectAll(scratch_.At("outside/secret"), ErrorCode::kPathOutsideProject);
  ExpectAll(scratch_.At("root-evil/x"), ErrorCode::kPathOutsideProject);
  ExpectAll(scratch_.At("root/../outside/secret"), ErrorCode::kPathOutsideProject);
}

TEST_P(BadInput, EveryOperationKnowsTheDenyList) {
  Given({FileWith("root/f", "x"), FileWith("root/.env", "K"), FileWith("root/.git/config", "c"),
         Link("root/g", ".git"), Dir("root/d")});
  for (const char* path : {".env", "d/.env", "./.env", "d/../.env", ".env/", ".git", ".git/config",
                           ".git/new", "g/config", "g/new", ".ssh", ".env.local", ".git/../f"}) {
    SCOPED_TRACE(path);
    ExpectAll(path, ErrorCode::kPathDenied);
  }
}

TEST_P(BadInput, AnyBytesButSlashAndNulAreAName) {
  Given({});
  const auto root = Open();
  for (const char* name : {"\xff\xfe", "a\x80z", "\xc0\xae\xc0\xae", "~", "$HOME", "a\nb", "a\\b",
                           " ", "-rf", "C:", "CON", "aux.txt", "..foo", "...", "a:b", "\x01"}) {
    EXPECT_ALLOWED(ReplaceFile(root, name, "x")) << name;
    EXPECT_EQ(ReadFile(root, name).value_or("?"), "x") << name;
    EXPECT_ALLOWED(root.Rename(name, root, std::string(name) + "2")) << name;
    EXPECT_ALLOWED(root.Remove(std::string(name) + "2")) << name;
    EXPECT_ALLOWED(root.MkdirAll(std::string(name) + "/" + name)) << name;
    EXPECT_ALLOWED(root.RemoveAll(name)) << name;
  }
  EXPECT_TRUE(Inside().empty());
}

}  // namespace
}  // namespace cordon::testing
