// What can be wrong with the root itself, at the start and later.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class RootItself : public PerResolver {
 protected:
  Result<confine::Root> Try(const std::string& directory) const {
    return OpenRoot(directory, OptionsOf(policy::Profile::kStrict, GetParam()));
  }
};
CORDON_PER_RESOLVER(RootItself);

TEST_P(RootItself, MustBeADirectoryThatExists) {
  Given({FileWith("file", "x"),
         {"fifo", "fifo", "", ""},
         Link("dangling", "none"),
         Link("loop", "loop"),
         Link("to_file", "file")});
  EXPECT_REFUSED(Try(scratch_.At("file")), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(Try(scratch_.At("fifo")), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(Try(scratch_.At("to_file")), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(Try(scratch_.At("file/x")), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(Try(scratch_.At("none")), ErrorCode::kNotFound);
  EXPECT_REFUSED(Try(scratch_.At("dangling")), ErrorCode::kNotFound);
  EXPECT_REFUSED(Try(scratch_.At("loop")), ErrorCode::kInvalidPath);
  EXPECT_REFUSED(Try(""), ErrorCode::kInvalidPath);
  EXPECT_REFUSED(Try(std::string("/tmp\0/x", 7)), ErrorCode::kInvalidPath);
}

TEST_P(RootItself, MayBeALinkAndIsKnownByBothNames) {
  Given({FileWith("root/f", "inside"), Link("alias", "root"), Link("root/abs1", "${ROOT}/f"),
         Link("root/abs2", "${SCRATCH}/alias/f"), Link("root/abs3", "${SCRATCH}/aliases/f")});
  auto root = Try(scratch_.At("alias"));
  ASSERT_TRUE(root.has_value()) << Describe(root.error());
  EXPECT_EQ(root->real_path(), scratch_.At("root"));
  for (const std::string& path : {std::string("f"), scratch_.At("alias/f"), scratch_.At("root/f"),
                                  std::string("abs1"), std::string("abs2")}) {
    EXPECT_EQ(ReadFile(*root, path).value_or("?"), "inside") << path;
  }
  EXPECT_REFUSED(ReadFile(*root, "abs3"), ErrorCode::kPathOutsideProject);
  // The link was followed once, when the root was opened: it does not matter now.
  ASSERT_EQ(::unlink(scratch_.At("alias").c_str()), 0);
  ASSERT_EQ(::symlink("outside", scratch_.At("alias").c_str()), 0);
  EXPECT_EQ(ReadFile(*root, "f").value_or("?"), "inside");
  EXPECT_REFUSED(ReadFile(*root, "secret"), ErrorCode::kNotFound);
  EXPECT_REFUSED(ReadFile(*root, scratch_.At("alias/secret")), ErrorCode::kNotFound);
}

TEST_P(RootItself, RemovedWhileInUseIsAClearError) {
  Given({});
  const auto root = Open();
  ASSERT_EQ(::rmdir(scratch_.At("root").c_str()), 0);
  EXPECT_REFUSED(ReadFile(root, "f"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Open("f", confine::OpenMode::kCreate), ErrorCode::kNotFound);
  EXPECT_REFUSED(ReplaceFile(root, "f", "x"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Append("f", "x"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Mkdir("d"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.MkdirAll("d/e"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Remove("f"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Rename("f", root, "g"), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Symlink("f", "l"), ErrorCode::kNotFound);
  // Something else under the old name is not the root.
  ASSERT_EQ(Build(scratch_, {FileWith("root/f", "impostor")}), "");
  EXPECT_REFUSED(ReadFile(root, "f"), ErrorCode::kNotFound);
  EXPECT_REFUSED(ReadFile(root, scratch_.At("root/f")), ErrorCode::kNotFound);
}

TEST_P(RootItself, ReplacedWhileInUseStaysTheOldOne) {
  Given({FileWith("root/f", "old"), FileWith("new/f", "impostor")});
  const auto root = Open();
  ASSERT_EQ(::rename(scratch_.At("root").c_str(), scratch_.At("moved").c_str()), 0);
  ASSERT_EQ(::rename(scratch_.At("new").c_str(), scratch_.At("root").c_str()), 0);
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "old");
  EXPECT_EQ(ReadFile(root, scratch_.At("root/f")).value_or("?"), "old");
  EXPECT_ALLOWED(ReplaceFile(root, "g", "x"));
  EXPECT_TRUE(Take(scratch_.At("moved")).contains("g"));
  EXPECT_FALSE(Take(scratch_.At("root")).contains("g"));
}

TEST_P(RootItself, ARelativeOrUntidySpellingIsTheSameRoot) {
  Given({FileWith("root/f", "inside"), Dir("root/d")});
  for (const std::string& spelling : {scratch_.At("root/"), scratch_.At("root//"),
                                      scratch_.At("root/d/.."), scratch_.At("./root/.")}) {
    auto root = Try(spelling);
    ASSERT_TRUE(root.has_value()) << spelling;
    EXPECT_EQ(ReadFile(*root, "f").value_or("?"), "inside");
    EXPECT_EQ(ReadFile(*root, scratch_.At("root/f")).value_or("?"), "inside") << spelling;
    EXPECT_REFUSED(ReadFile(*root, "../outside/secret"), ErrorCode::kPathOutsideProject);
  }
}

TEST_P(RootItself, TheWorkingDirectoryDoesNotMatter) {
  Given({FileWith("root/f", "inside"), FileWith("outside/f", "SECRET")});
  const auto root = Open();
  const platform::UniqueFd before(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::chdir(scratch_.At("outside").c_str()), 0);
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "inside");
  EXPECT_REFUSED(ReadFile(root, "secret"), ErrorCode::kNotFound);
  ASSERT_EQ(::fchdir(before.get()), 0);
}

}  // namespace
}  // namespace cordon::testing
