// docs/source-examples.md names every test of this folder, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace cordon::testing {
namespace {

std::string ReadSource(const std::string& name) {
  std::ifstream in(std::string(CORDON_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(in.is_open()) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> Matches(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  return found;
}

TEST(SeedTable, NamesEveryTestAndNoOther) {
  std::set<std::string> tests;
  for (const char* document : {"000", "001", "001_consent", "002", "003", "004"}) {
    tests.merge(Matches(ReadSource(std::string("tests/seeds/seed_") + document + "_test.cc"),
                        "TEST(?:_[PF])?\\((Seed[0-9]+\\w*), (\\w+)\\)"));
  }
  EXPECT_GT(tests.size(), 80u);
  EXPECT_EQ(Matches(ReadSource("docs/source-examples.md"), "`(Seed[0-9]+\\w*)\\.(\\w+)`"), tests);
}

}  // namespace
}  // namespace cordon::testing
