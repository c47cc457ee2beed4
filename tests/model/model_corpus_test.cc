// The model is held to the same corpus as the resolvers: it, too, must be right.
#include <gtest/gtest.h>

#include "tests/model/tree.h"
#include "tests/support/corpus.h"

namespace cordon::testing {
namespace {

using model::Answer;
using model::Kind;
using model::Node;
using model::Tree;

constexpr const char* kScratch = "/scratch";

std::string Place(const BoundaryCase& item, const std::string& text) {
  return Substitute(text, kScratch, std::string(kScratch) + "/" + item.root);
}

// Only what lies below the root is in the model; the rest is simply outside.
bool Build(const BoundaryCase& item, Tree& tree) {
  const std::string inside = (item.root == "alias" ? "root" : item.root) + "/";
  for (const SetupStep& step : item.setup) {
    if (!step.path.starts_with(inside)) continue;
    auto node = std::make_shared<Node>();
    if (step.op == "file") node = std::make_shared<Node>(Node{Kind::kFile, step.content, 1, {}});
    if (step.op == "symlink") {
      node = std::make_shared<Node>(Node{Kind::kLink, Place(item, step.target), 1, {}});
    }
    if (step.op == "fifo" || step.op == "socket") node->kind = Kind::kSpecial;
    if (step.op == "hardlink") node = std::make_shared<Node>(Node{Kind::kFile, "SECRET", 2, {}});
    const std::string below = step.path.substr(inside.size());
    if (step.op == "dir" && tree.Find(below) != nullptr) continue;
    tree.Put(below, node);
  }
  return item.needs.empty();
}

Answer Act(const BoundaryCase& item, Tree& tree, const std::string& path) {
  if (item.action == "read") return tree.Read(path);
  if (item.action == "write") return tree.Write(path, "written");
  if (item.action == "create") {
    return item.HasFlag("excl") ? tree.CreateExclusive(path, "written")
                                : tree.Create(path, "written");
  }
  if (item.action == "list") return tree.List(path);
  if (item.action == "stat")
    return item.HasFlag("nofollow") ? tree.StatLink(path) : tree.Stat(path);
  if (item.action == "mkdir") return tree.Mkdir(path);
  if (item.action == "delete") return tree.Remove(path);
  return tree.Rename(path, Place(item, item.to.value()));
}

ErrorCode CodeOf(const std::string& kind) {
  static const std::map<std::string, ErrorCode> codes = {{"escape", ErrorCode::kPathOutsideProject},
                                                         {"denylist", ErrorCode::kPathDenied},
                                                         {"noent", ErrorCode::kNotFound},
                                                         {"notdir", ErrorCode::kNotADirectory},
                                                         {"invalid", ErrorCode::kInvalidPath},
                                                         {"name", ErrorCode::kInvalidPath},
                                                         {"loop", ErrorCode::kInvalidPath},
                                                         {"exists", ErrorCode::kAlreadyExists},
                                                         {"special", ErrorCode::kNotARegularFile},
                                                         {"notreg", ErrorCode::kIsADirectory},
                                                         {"hardlink", ErrorCode::kPathDenied}};
  return codes.at(kind);
}

TEST(Model, AgreesWithTheCorpus) {
  int checked = 0;
  for (const BoundaryCase& item : BoundaryCases()) {
    if (item.platform != "posix") continue;
    SCOPED_TRACE(item.id);
    std::vector<std::string> spellings = {std::string(kScratch) + "/" + item.root};
    if (item.root == "alias") spellings.push_back(std::string(kScratch) + "/root");
    Tree tree(spellings);
    if (!Build(item, tree)) continue;  // mounts and case folding are not modelled
    const Answer answer = Act(item, tree, Place(item, item.path));
    EXPECT_EQ(answer.allowed(), item.allow);
    if (!answer.allowed() && !item.allow) {
      EXPECT_TRUE(answer.Admits(CodeOf(item.kind)));
    }
    if (answer.allowed() && item.content) {
      EXPECT_EQ(answer.value, *item.content);
    }
    if (item.creates) {
      EXPECT_NE(tree.Find(*item.creates), nullptr);
    }
    if (item.removes) {
      EXPECT_EQ(tree.Find(*item.removes), nullptr);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 348);
}

}  // namespace
}  // namespace cordon::testing
