// Which files are opened, and which are refused.
#include <sys/stat.h>

#include <filesystem>

#include "store/connection.h"
#include "store/schema.h"
#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

constexpr const char* kPlace = "state/deep/store.db";

unsigned ModeOf(const std::string& path) {
  struct stat stat {};
  EXPECT_EQ(::lstat(path.c_str(), &stat), 0) << path;
  return stat.st_mode & 07777;
}

// Runs SQL on the file, past the store.
void Tamper(const std::string& path, const char* sql) {
  auto connection = Connection::Open(path, Connection::Use::kReadWrite).value();
  const Status done = connection->Execute(sql);
  ASSERT_TRUE(done) << done.error().detail;
}

TEST(OpenStore, MakesAPrivatePlace) {
  const testing::Tree tree;
  auto store = Store::Open(tree.At(kPlace));
  ASSERT_TRUE(store) << Said(store);
  ASSERT_DONE((*store)->AddUser({"usr_a", "ann", 1}));
  EXPECT_EQ(ModeOf(tree.At("state")), 0700u);
  EXPECT_EQ(ModeOf(tree.At("state/deep")), 0700u);
  for (const auto& entry : std::filesystem::directory_iterator(tree.At("state/deep"))) {
    EXPECT_EQ(ModeOf(entry.path().string()), 0600u) << entry.path();
  }
}

TEST(OpenStore, FindsWhatWasThere) {
  const testing::Tree tree;
  {
    auto store = Store::Open(tree.At(kPlace)).value();
    ASSERT_DONE(store->AddUser({"usr_a", "ann", 1}));
    ASSERT_DONE(store->AddSandbox(SandboxOf(1), kMany));
    ASSERT_DONE(store->ReservePort(IdOf(1), {30000}));
  }
  auto store = Store::Open(tree.At(kPlace)).value();
  EXPECT_EQ(store->FindUser("usr_a").value().name, "ann");
  EXPECT_EQ(store->FindAnySandbox(IdOf(1)).value().port, 30000);
}

TEST(OpenStore, TwoOfOneFileSeeTheSame) {
  const testing::Tree tree;
  auto one = Store::Open(tree.At(kPlace)).value();
  auto two = Store::Open(tree.At(kPlace)).value();
  ASSERT_DONE(one->AddUser({"usr_a", "ann", 1}));
  EXPECT_TRUE(two->FindUser("usr_a"));
  ASSERT_DONE(two->AddUser({"usr_b", "bob", 1}));
  EXPECT_EQ(one->ListUsers().value().size(), 2u);
}

TEST(OpenStore, NeedsAnAbsolutePath) {
  for (const char* path : {"", "store.db", "./store.db", "/", "/tmp/"}) {
    EXPECT_CODE(Store::Open(path), ErrorCode::kInvalidPath);
  }
}

TEST(OpenStore, RefusesANewerVersionAndLeavesItAlone) {
  const testing::Tree tree;
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
  const std::string newer = "PRAGMA user_version = " + std::to_string(SchemaVersion() + 1);
  Tamper(tree.At(kPlace), newer.c_str());
  const auto refused = Store::Open(tree.At(kPlace));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().detail.find("newer"), std::string::npos) << Said(refused);
  Tamper(tree.At(kPlace), "SELECT * FROM users");
}

TEST(OpenStore, RefusesAnotherProgramsFile) {
  const testing::Tree tree;
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
  Tamper(tree.At(kPlace), "PRAGMA application_id = 17");
  const auto refused = Store::Open(tree.At(kPlace));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().detail.find("another program"), std::string::npos) << Said(refused);
}

TEST(OpenStore, RefusesWhatIsNoDatabase) {
  const testing::Tree tree;
  tree.File("state/store.db", std::string(10'000, 'x'));
  ::chmod(tree.At("state").c_str(), 0700);
  ::chmod(tree.At("state/store.db").c_str(), 0600);
  const auto refused = Store::Open(tree.At("state/store.db"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIoError);
  EXPECT_NE(refused.error().detail.find("damaged"), std::string::npos) << Said(refused);
}

// A page in the middle is overwritten: refused, and said to be damaged.
TEST(OpenStore, RefusesADamagedFile) {
  const testing::Tree tree;
  {
    auto store = Store::Open(tree.At(kPlace)).value();
    for (int i = 0; i < 200; ++i) {
      const std::string name = std::to_string(i);
      ASSERT_DONE(store->AddUser({"usr_" + name, "a name of some length " + name, i}));
    }
  }
  Tamper(tree.At(kPlace), "PRAGMA wal_checkpoint(TRUNCATE)");
  std::string bytes = tree.Read(kPlace);
  ASSERT_GT(bytes.size(), 3u * 4096);
  unsigned refused = 0;
  const std::size_t pages = bytes.size() / 4096;
  for (std::size_t page = 0; page < pages; ++page) {
    std::string damaged = bytes;
    damaged.replace(page * 4096 + (page == 0 ? 100 : 0), 200, std::string(200, '\x5a'));
    tree.File(kPlace, damaged);
    const auto opened = Store::Open(tree.At(kPlace));
    if (opened) continue;  // a page that nothing is on
    ++refused;
    EXPECT_EQ(opened.error().code, ErrorCode::kIoError);
    EXPECT_NE(opened.error().detail.find("damaged"), std::string::npos) << Said(opened);
  }
  EXPECT_GE(refused, pages - 1) << "of " << pages;
}

TEST(OpenStore, RefusesWhatOthersCouldReadOrReplace) {
  const testing::Tree tree;
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
  ::chmod(tree.At(kPlace).c_str(), 0640);
  EXPECT_CODE(Store::Open(tree.At(kPlace)), ErrorCode::kPermissionDenied);
  ::chmod(tree.At(kPlace).c_str(), 0600);
  for (const mode_t mode : {0770, 0777, 01777}) {
    ::chmod(tree.At("state/deep").c_str(), mode);
    EXPECT_CODE(Store::Open(tree.At(kPlace)), ErrorCode::kPermissionDenied);
  }
  ::chmod(tree.At("state/deep").c_str(), 0700);
  std::filesystem::create_hard_link(tree.At(kPlace), tree.At("state/second"));
  EXPECT_CODE(Store::Open(tree.At(kPlace)), ErrorCode::kPermissionDenied);
  std::filesystem::remove(tree.At("state/second"));
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
}

TEST(OpenStore, FollowsNoLinkInPlaceOfTheFile) {
  const testing::Tree tree;
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
  tree.Link("state/deep/link.db", tree.At(kPlace));
  EXPECT_CODE(Store::Open(tree.At("state/deep/link.db")), ErrorCode::kNotARegularFile);
  tree.Dir("state/deep/directory.db");
  EXPECT_CODE(Store::Open(tree.At("state/deep/directory.db")), ErrorCode::kNotARegularFile);
  // A directory above may be one: homes are.
  tree.Link("home", tree.At("state"));
  ASSERT_DONE(Store::Open(tree.At("home/deep/store.db")));
}

// Everything a connection promises is a setting that can be asked for.
TEST(OpenStore, IsFurnishedAsPromised) {
  const testing::Tree tree;
  ASSERT_DONE(Store::Open(tree.At(kPlace)));
  auto connection = Connection::Open(tree.At(kPlace), Connection::Use::kRead).value();
  const auto ask = [&](const char* pragma) {
    Statement statement = connection->Prepare(pragma);
    EXPECT_EQ(statement.Step().value(), Row::kThere) << pragma;
    return statement.Text();
  };
  EXPECT_EQ(ask("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(ask("PRAGMA synchronous"), "2");
  EXPECT_EQ(ask("PRAGMA foreign_keys"), "1");
  EXPECT_EQ(ask("PRAGMA busy_timeout"), "10000");
  EXPECT_EQ(ask("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND strict"), "6");
  EXPECT_EQ(ask("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND NOT strict "
                "AND name NOT LIKE 'sqlite_%'"),
            "0");
  EXPECT_FALSE(connection->Execute("DELETE FROM users")) << "a reader cannot write";
}

}  // namespace
}  // namespace cordon::store
