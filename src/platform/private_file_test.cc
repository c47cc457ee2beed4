#include "platform/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/file_io.h"
#include "tests/tree.h"

namespace cordon::platform {
namespace {

namespace fs = std::filesystem;
using testing::Tree;

class PrivateFile : public ::testing::Test {
 protected:
  ErrorCode CodeOf(const char* name, PrivateAccess access) {
    const auto opened = OpenPrivateFile(directory_.get(), name, access);
    if (!opened) return opened.error().code;
    ADD_FAILURE() << name << " was opened";
    return ErrorCode::kUnsupported;
  }
  void Make(const char* name, unsigned mode) {
    tree_.File(name, "content");
    fs::permissions(tree_.At(name), fs::perms(mode));
  }
  Tree tree_;
  UniqueFd directory_ = OpenStateDirectory(tree_.path(), MissingDirectory::kRefuse).value();
};

TEST_F(PrivateFile, OpensItsOwn) {
  Make("own", 0600);
  EXPECT_TRUE(OpenPrivateFile(directory_.get(), "own", PrivateAccess::kRead));
  EXPECT_TRUE(OpenPrivateFile(directory_.get(), "own", PrivateAccess::kReadWrite));
  EXPECT_TRUE(OpenPrivateFile(directory_.get(), "own", PrivateAccess::kMakeIfMissing));
  EXPECT_EQ(CodeOf("own", PrivateAccess::kCreateExclusive), ErrorCode::kAlreadyExists);
  EXPECT_EQ(tree_.Read("own"), "content");
}

TEST_F(PrivateFile, MakesItForTheOwnerAlone) {
  const mode_t before = ::umask(0);
  EXPECT_TRUE(OpenPrivateFile(directory_.get(), "a", PrivateAccess::kMakeIfMissing));
  EXPECT_TRUE(OpenPrivateFile(directory_.get(), "b", PrivateAccess::kCreateExclusive));
  ::umask(before);
  EXPECT_EQ(fs::status(tree_.At("a")).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(tree_.At("b")).permissions(), fs::perms(0600));
  EXPECT_EQ(CodeOf("c", PrivateAccess::kReadWrite), ErrorCode::kNotFound);
}

TEST_F(PrivateFile, RefusesWhatOthersMayUse) {
  for (const unsigned mode : {0640u, 0620u, 0610u, 0604u, 0602u, 0601u, 0666u}) {
    Make("shared", mode);
    EXPECT_EQ(CodeOf("shared", PrivateAccess::kRead), ErrorCode::kPermissionDenied) << mode;
  }
}

TEST_F(PrivateFile, RefusesWhatIsNotOneRegularFile) {
  Make("own", 0600);
  tree_.Link("link", "own").Link("dangling", "nowhere").Fifo("fifo").Dir("directory");
  fs::create_hard_link(tree_.At("own"), tree_.At("second"));
  EXPECT_EQ(CodeOf("link", PrivateAccess::kRead), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf("dangling", PrivateAccess::kMakeIfMissing), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf("fifo", PrivateAccess::kRead), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf("directory", PrivateAccess::kRead), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf("directory", PrivateAccess::kReadWrite), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf("second", PrivateAccess::kRead), ErrorCode::kPermissionDenied);
}

TEST_F(PrivateFile, RefusesWhatBelongsToAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "giving a file away needs the superuser";
  Make("theirs", 0600);
  ASSERT_EQ(::chown(tree_.At("theirs").c_str(), 12345, 12345), 0);
  EXPECT_EQ(CodeOf("theirs", PrivateAccess::kRead), ErrorCode::kPermissionDenied);
}

TEST_F(PrivateFile, IsRenamedButNeverOverAnother) {
  Make("a", 0600);
  Make("b", 0600);
  EXPECT_EQ(RenameNoReplace(directory_.get(), "a", "b").error().code, ErrorCode::kAlreadyExists);
  tree_.Link("c", "nowhere");
  EXPECT_EQ(RenameNoReplace(directory_.get(), "a", "c").error().code, ErrorCode::kAlreadyExists);
  EXPECT_TRUE(RenameNoReplace(directory_.get(), "a", "d"));
  EXPECT_FALSE(fs::exists(tree_.At("a")));
  EXPECT_EQ(tree_.Read("d"), "content");
  EXPECT_EQ(RenameNoReplace(directory_.get(), "a", "e").error().code, ErrorCode::kNotFound);
}

TEST(StateDirectory, IsMadeWithItsParentsForTheOwnerAlone) {
  const Tree tree;
  const mode_t before = ::umask(0);
  for (const char* path : {"a/b/c", "a/b/d//e/", "a"}) {
    EXPECT_TRUE(OpenStateDirectory(tree.At(path), MissingDirectory::kMake)) << path;
  }
  ::umask(before);
  for (const char* path : {"a", "a/b", "a/b/c", "a/b/d/e"}) {
    EXPECT_EQ(fs::status(tree.At(path)).permissions(), fs::perms(0700)) << path;
  }
}

TEST(StateDirectory, IsNotMadeUnasked) {
  const Tree tree;
  EXPECT_EQ(OpenStateDirectory(tree.At("a"), MissingDirectory::kRefuse).error().code,
            ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(tree.At("a")));
  tree.File("file", "");
  EXPECT_EQ(OpenStateDirectory(tree.At("file/a"), MissingDirectory::kMake).error().code,
            ErrorCode::kNotADirectory);
  EXPECT_FALSE(OpenStateDirectory("relative", MissingDirectory::kMake).has_value());
  EXPECT_FALSE(OpenStateDirectory("", MissingDirectory::kMake).has_value());
}

TEST(StateDirectory, ThatOthersMayWriteToIsRefused) {
  const Tree tree;
  tree.Dir("shared/own");
  for (const unsigned mode : {0720u, 0702u, 0722u, 0775u, 0777u, 02770u}) {
    fs::permissions(tree.At("shared"), fs::perms(mode));
    for (const auto missing : {MissingDirectory::kMake, MissingDirectory::kRefuse}) {
      const auto opened = OpenStateDirectory(tree.At("shared"), missing);
      ASSERT_FALSE(opened.has_value()) << std::oct << mode;
      EXPECT_EQ(opened.error().code, ErrorCode::kPermissionDenied);
      EXPECT_NE(opened.error().detail.find("other users"), std::string::npos);
    }
  }
  EXPECT_TRUE(OpenStateDirectory(tree.At("shared/own"), MissingDirectory::kRefuse))
      << "only the directory itself is looked at";
  for (const unsigned mode : {0700u, 0755u, 0500u, 01777u, 01770u}) {
    fs::permissions(tree.At("shared"), fs::perms(mode));
    EXPECT_TRUE(OpenStateDirectory(tree.At("shared"), MissingDirectory::kRefuse))
        << std::oct << mode;
  }
}

TEST(StateDirectory, OfAnotherUserIsRefusedUnlessOfTheSuperuser) {
  EXPECT_TRUE(OpenStateDirectory("/", MissingDirectory::kRefuse));
  if (::geteuid() != 0) GTEST_SKIP() << "giving a directory away needs the superuser";
  const Tree tree;
  tree.Dir("theirs");
  ASSERT_EQ(::chown(tree.At("theirs").c_str(), 12345, 12345), 0);
  for (const unsigned mode : {0700u, 0755u, 01777u}) {
    fs::permissions(tree.At("theirs"), fs::perms(mode));
    const auto opened = OpenStateDirectory(tree.At("theirs"), MissingDirectory::kRefuse);
    ASSERT_FALSE(opened.has_value()) << std::oct << mode;
    EXPECT_EQ(opened.error().code, ErrorCode::kPermissionDenied);
  }
}

TEST(WriteAllAt, WritesThereAndNowhereElse) {
  const Tree tree;
  const auto directory = OpenStateDirectory(tree.path(), MissingDirectory::kRefuse);
  const auto file = OpenPrivateFile(directory->get(), "f", PrivateAccess::kCreateExclusive);
  ASSERT_TRUE(WriteAllAt(file->get(), 2, "cd"));
  ASSERT_TRUE(WriteAllAt(file->get(), 0, "ab"));
  EXPECT_TRUE(SyncData(file->get()));
  EXPECT_EQ(tree.Read("f"), "abcd");
}

}  // namespace
}  // namespace cordon::platform
