// What the tests of the source documents' examples share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cordon/cordon.h"
#include "tests/tree.h"

namespace cordon::testing {

// A workspace `root/`, a neighbour `outside/secret`, and each resolver in turn.
class Seed : public EachResolver {
 protected:
  static WorkspaceOptions With(Profile profile) {
    WorkspaceOptions options;
    options.profile = profile;
    return options;
  }
  Workspace Open(const WorkspaceOptions& options = With(Profile::kStrict)) const {
    auto workspace = Workspace::Open(root(), options);
    if (!workspace) {
      ADD_FAILURE() << workspace.error().detail;
      std::abort();
    }
    return std::move(*workspace);
  }
  // A path from the root to `target` by "..", as deep as the root may lie.
  static std::string Climb(std::string_view target) {
    std::string path;
    for (int i = 0; i < 32; ++i) path += "../";
    return path + std::string(target.substr(target.find_first_not_of('/')));
  }
  // Every operation there is refuses `path` as outside and changes nothing.
  void ExpectOutside(const Workspace& workspace, const std::string& path) const {
    ExpectNotFollowed(workspace, path);
    ExpectRefusedAsOutside({
        {"delete", workspace.Remove(path)},
        {"delete all", workspace.RemoveAll(path)},
        {"mkdir", workspace.Mkdir(path)},
        {"mkdir all", workspace.MkdirAll(path + "/x")},
        {"rename from", workspace.Rename(path, "taken")},
    });
    ExpectOutsideUntouched();
  }
  // The same for a name that is a link itself: what would follow it is refused,
  // while the link, which is inside, may be removed or renamed.
  void ExpectNotFollowed(const Workspace& workspace, const std::string& path) const {
    ExpectRefusedAsOutside({
        {"read", Only(workspace.ReadFile(path))},
        {"write", workspace.WriteFile(path, "pwned")},
        {"append", workspace.AppendFile(path, "pwned")},
        {"list", Only(workspace.List(path))},
        {"stat", Only(workspace.Stat(path))},
        {"stream in", Only(workspace.OpenRead(path))},
        {"stream out", Only(workspace.OpenWrite(path))},
        {"stream append", Only(workspace.OpenAppend(path))},
    });
    for (const Operation operation :
         {Operation::kRead, Operation::kWrite, Operation::kCreate, Operation::kList}) {
      EXPECT_FALSE(workspace.Validate(path, operation).allowed) << path;
    }
    EXPECT_FALSE(workspace.IsPathAllowed(path)) << path;
    ExpectOutsideUntouched();
  }
  static void ExpectRefusedAsOutside(const std::vector<std::pair<const char*, Status>>& done) {
    for (const auto& [name, status] : done) {
      ASSERT_FALSE(status.has_value()) << name << " was done";
      EXPECT_EQ(ErrorCodeName(status.error().code), "PATH_OUTSIDE_PROJECT") << name;
      EXPECT_TRUE(status.error().security_violation()) << name;
    }
  }
  void ExpectOutsideUntouched() const {
    EXPECT_EQ(tree_.Read("outside/secret"), "secret");
    EXPECT_EQ(tree_.Names("outside"), std::vector<std::string>{"secret"});
    EXPECT_FALSE(tree_.Has("root/taken"));
  }
  template <typename T>
  static Status Only(const Result<T>& result) {
    if (!result) return result.error();
    return {};
  }
  template <typename T>
  static ErrorCode CodeOf(const Result<T>& result) {
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::kIoError : result.error().code;
  }
};

}  // namespace cordon::testing
