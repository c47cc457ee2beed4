#include "audit/key.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

#include "tests/audit/log_fixture.h"

namespace cordon::audit {
namespace {

namespace fs = std::filesystem;
using testing::Tree;

NamedPlace PlaceOf(const Tree& tree) {
  return OpenPlace(tree.At("key"), platform::MissingDirectory::kRefuse, Authority()).value();
}

TEST(Key, IsMadeOnceAndReadAgain) {
  const Tree tree;
  EXPECT_EQ(Key::Read(PlaceOf(tree)).error().code, ErrorCode::kNotFound);
  const auto made = Key::ReadOrMake(PlaceOf(tree));
  const auto read = Key::Read(PlaceOf(tree));
  ASSERT_TRUE(made && read);
  EXPECT_EQ(made->ForLines().Of("x"), read->ForLines().Of("x"));
  const std::string text = Slurp(tree.At("key"));
  EXPECT_EQ(text.size(), 65u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), 64u);
  EXPECT_EQ(fs::status(tree.At("key")).permissions(), fs::perms(0600));
}

TEST(Key, SignsLinesAndHeadsDifferently) {
  const Tree tree;
  const auto key = Key::ReadOrMake(PlaceOf(tree));
  EXPECT_NE(key->ForLines().Of("x"), key->ForHeads().Of("x"));
}

TEST(Key, IsTheSameForAllWhoMakeItAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const Tree tree;
    std::vector<Digest> signatures(8);
    std::vector<std::thread> threads;
    for (Digest& signature : signatures) {
      threads.emplace_back([&] {
        const auto key = Key::ReadOrMake(PlaceOf(tree));
        if (key) signature = key->ForLines().Of("x");
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(std::set<Digest>(signatures.begin(), signatures.end()).size(), 1u);
    EXPECT_NE(signatures[0], Digest{});
    EXPECT_EQ(std::distance(fs::directory_iterator(tree.path()), {}), 1)
        << "something is left over";
  }
}

TEST(Key, IsNothingElse) {
  const std::string good(64, 'a');
  for (const std::string& text : {std::string(), good, good + "\n\n", good + " ", "\n" + good,
                                  std::string(64, 'A') + "\n", std::string(63, 'a') + "g\n"}) {
    const Tree tree;
    tree.File("key", text);
    fs::permissions(tree.At("key"), fs::perms(0600));
    const auto key = Key::ReadOrMake(PlaceOf(tree));
    ASSERT_FALSE(key.has_value()) << text;
    EXPECT_EQ(key.error().code, ErrorCode::kIoError);
    EXPECT_EQ(Slurp(tree.At("key")), text) << "it was overwritten";
  }
}

}  // namespace
}  // namespace cordon::audit
