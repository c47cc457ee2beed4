// Tools called on a workspace of a test's own, as a front end calls them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "tests/guard/guard_fixture.h"
#include "tools/registry.h"
#include "tools/result_object.h"
#include "tools/schema.h"

namespace cordon::testing {

class ToolTest : public GuardTest {
 protected:
  ToolTest() { settings_.profile = policy::Profile::kStrict; }
  void SetUp() override { Start(); }

  // What a successful call tells is as its tool declares it.
  tools::Outcome Call(std::string_view name, const boost::json::object& arguments) {
    const tools::Tool* const tool = tools::FindTool(name);
    if (tool == nullptr) return tools::UnknownTool(name);
    tools::Outcome outcome = tools::Run(*tool, *guard_, arguments, options_);
    if (outcome) {
      const Status declared = tools::CheckOutput(tool->output, outcome->data);
      EXPECT_TRUE(declared) << name << ": " << declared.error().detail << " in "
                            << boost::json::serialize(outcome->data);
    }
    return outcome;
  }
  tools::Outcome Call(std::string_view name, std::string_view arguments) {
    return Call(name, boost::json::parse(std::string(arguments)).as_object());
  }
  static std::string CodeOf(const tools::Outcome& outcome) {
    return outcome ? "done" : std::string(ErrorCodeName(outcome.error().error.code));
  }
  std::string CallCode(std::string_view name, std::string_view arguments) {
    return CodeOf(Call(name, arguments));
  }
  // The data, or the error, as JSON.
  std::string Told(std::string_view name, std::string_view arguments) {
    const tools::Outcome outcome = Call(name, arguments);
    return outcome ? boost::json::serialize(outcome->data)
                   : boost::json::serialize(tools::ErrorObject(outcome.error()));
  }

  // Everything below the workspace, with contents and modes, to see that nothing changed.
  std::string Tree() const;

  tools::CallOptions options_;
};

inline std::string ToolTest::Tree() const {
  std::string tree;
  std::vector<std::string> pending{At("w")};
  std::set<std::string> lines;
  while (!pending.empty()) {
    const std::string directory = pending.back();
    pending.pop_back();
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      struct stat stat;
      EXPECT_EQ(::lstat(entry.path().c_str(), &stat), 0);
      std::string line = entry.path().string() + " " + std::to_string(stat.st_mode);
      if (S_ISREG(stat.st_mode) && stat.st_size < 100'000) line += " " + ReadFile(entry.path());
      if (S_ISLNK(stat.st_mode)) line += " " + std::filesystem::read_symlink(entry).string();
      if (S_ISDIR(stat.st_mode)) pending.push_back(entry.path());
      lines.insert(line);
    }
  }
  for (const std::string& line : lines) tree += line + "\n";
  return tree;
}

}  // namespace cordon::testing
