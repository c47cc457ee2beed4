// Every POSIX case of boundary-cases.json, under both resolvers, as a test of its
// own: BoundaryCorpus/openat2.go_symlink_read and so on.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/corpus.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::OpenMode;
using confine::Resolver;
using confine::Root;

// In which way an action is carried out; a case has one verdict for all of them.
enum class Way { kPlain, kReplace, kProbe };

struct Outcome {
  bool allowed = false;
  Error error;
  std::string content;
};

Outcome Of(const Status& status) {
  return status ? Outcome{true, {}, {}} : Outcome{false, status.error(), {}};
}

Status OpenAndWrite(const Root& root, const std::string& path, OpenMode mode) {
  auto file = root.Open(path, mode);
  if (!file) return std::move(file.error());
  return file->Write("written");
}

// A case's file tree with its root opened.
class World {
 public:
  explicit World(const BoundaryCase& boundary) : boundary_(boundary) {
    root_path_ = scratch_.At(boundary.root);
    for (SetupStep& step : boundary_.setup) {
      if (step.op == "symlink") step.target = Place(step.target);
    }
    boundary_.path = Place(boundary_.path);
    if (boundary_.to) boundary_.to = Place(*boundary_.to);
  }

  std::string Build() { return BuildCase(scratch_, boundary_.setup); }
  const BoundaryCase& placed() const { return boundary_; }
  const std::string& root_path() const { return root_path_; }
  const Scratch& scratch() const { return scratch_; }
  Snapshot Outside() const { return Take(scratch_.descriptor(), "root"); }
  Snapshot Inside() const { return Take(root_path_); }

 private:
  std::string Place(const std::string& text) const {
    return Substitute(text, scratch_.path(), root_path_);
  }

  Scratch scratch_;
  BoundaryCase boundary_;
  std::string root_path_;
};

Outcome Probe(const Root& root, const BoundaryCase& boundary) {
  const auto operation = ParseOperation(boundary.action);
  if (!operation) return {};
  const auto probed = root.Probe(boundary.path, *operation);
  return probed ? Outcome{true, {}, {}} : Outcome{false, probed.error(), {}};
}

Outcome Perform(const Root& root, const BoundaryCase& boundary, Way way) {
  const std::string& path = boundary.path;
  if (way == Way::kProbe) return Probe(root, boundary);
  if (way == Way::kReplace) return Of(ReplaceFile(root, path, "written"));
  if (boundary.action == "read") {
    auto content = ReadFile(root, path);
    return content ? Outcome{true, {}, *content} : Outcome{false, content.error(), {}};
  }
  if (boundary.action == "write") return Of(OpenAndWrite(root, path, OpenMode::kWrite));
  if (boundary.action == "create") {
    return Of(OpenAndWrite(
        root, path, boundary.HasFlag("excl") ? OpenMode::kCreateExclusive : OpenMode::kCreate));
  }
  if (boundary.action == "list") {
    auto entries = root.List(path);
    return entries ? Outcome{true, {}, {}} : Outcome{false, entries.error(), {}};
  }
  if (boundary.action == "stat") {
    auto stat = root.Stat(path, boundary.HasFlag("nofollow") ? confine::FinalSymlink::kNoFollow
                                                             : confine::FinalSymlink::kFollow);
    return stat ? Outcome{true, {}, {}} : Outcome{false, stat.error(), {}};
  }
  if (boundary.action == "mkdir") return Of(root.Mkdir(path));
  if (boundary.action == "delete") return Of(root.Remove(path));
  if (boundary.action == "rename") return Of(root.Rename(path, root, boundary.to.value()));
  ADD_FAILURE() << "unknown action " << boundary.action;
  return {};
}

bool IsReading(const BoundaryCase& boundary) {
  return boundary.action == "read" || boundary.action == "list" || boundary.action == "stat";
}

// Which code, or violation, a kind of refusal must carry.
void ExpectKind(const std::string& kind, const Error& error) {
  static const std::map<std::string, ErrorCode> codes = {{"escape", ErrorCode::kPathOutsideProject},
                                                         {"denylist", ErrorCode::kPathDenied},
                                                         {"noent", ErrorCode::kNotFound},
                                                         {"notdir", ErrorCode::kNotADirectory},
                                                         {"invalid", ErrorCode::kInvalidPath},
                                                         {"name", ErrorCode::kInvalidPath},
                                                         {"loop", ErrorCode::kInvalidPath},
                                                         {"exists", ErrorCode::kAlreadyExists},
                                                         {"special", ErrorCode::kNotARegularFile},
                                                         {"notreg", ErrorCode::kIsADirectory}};
  static const std::map<std::string, Violation> violations = {{"denylist", Violation::kDenylist},
                                                              {"hardlink", Violation::kHardlink},
                                                              {"mount", Violation::kMount}};
  const auto code = codes.find(kind);
  const auto violation = violations.find(kind);
  if (code != codes.end()) {
    EXPECT_EQ(ErrorCodeName(error.code), ErrorCodeName(code->second)) << Describe(error);
  }
  if (violation != violations.end()) {
    EXPECT_EQ(ViolationName(error.violation), ViolationName(violation->second)) << Describe(error);
  }
  const bool known = code != codes.end() || violation != violations.end() || kind == "magiclink";
  EXPECT_TRUE(known) << "no expectation for kind " << kind;
  EXPECT_TRUE(kind != "escape" || error.security_violation());
}

// An error may be shown to a model, so it must not say where an outside file is.
void ExpectNothingDisclosed(const World& world, const Error& error) {
  const std::string outside = world.scratch().At("outside");
  if (world.placed().path.find(outside) != std::string::npos) return;  // the caller said it
  for (const std::string& field : {error.detail, error.component, error.rule, error.AiMessage()}) {
    EXPECT_EQ(field.find(outside), std::string::npos) << field;
    EXPECT_EQ(field.find("SECRET"), std::string::npos) << field;
  }
}

// What an allowed operation did inside: what the case says, and nothing besides.
void ExpectEffect(const BoundaryCase& boundary, const Difference& difference) {
  if (IsReading(boundary)) {
    EXPECT_TRUE(difference.empty()) << difference.Text();
    return;
  }
  if (boundary.action == "rename") {
    EXPECT_FALSE(difference.removed.empty()) << "nothing was moved";
    EXPECT_LE(difference.added.size(), difference.removed.size()) << difference.Text();
    return;
  }
  std::vector<std::string> added, removed;
  if (boundary.creates) added.push_back(*boundary.creates);
  if (boundary.removes) removed.push_back(*boundary.removes);
  if (boundary.creates || boundary.action != "create") {
    EXPECT_EQ(difference.added, added) << difference.Text();
  }
  EXPECT_EQ(difference.removed, removed) << difference.Text();
}

bool Applies(const BoundaryCase& boundary, Way way) {
  if (way == Way::kReplace) {
    return (boundary.action == "write" || boundary.action == "create") && !boundary.HasFlag("excl");
  }
  // Probe knows neither exclusiveness nor a second path; rename is looked at below.
  return way == Way::kPlain || boundary.flags.empty();
}

bool ProbeAgrees(const BoundaryCase& boundary, bool probed) {
  // Probe sees one end of a rename: it may only be the more generous one.
  if (boundary.action == "rename") return probed || !boundary.allow;
  return probed == boundary.allow;
}

bool CanFoldCase() {
  Scratch scratch;
  return Build(scratch, {{"casefold_dir", "cf", "", ""}}).empty();
}

// Where the kernel has no +F directories, a plain one stands in that the root is
// told to take for one: the deny list must hold all the same.
confine::RootOptions OptionsFor(const BoundaryCase& boundary, Resolver resolver) {
  confine::RootOptions options = OptionsOf(policy::Profile::kStrict, resolver);
  if (boundary.Needs("casefold") && !CanFoldCase()) {
    options.assumed_name_rules = path::NameRules::kCaseFold;
  }
  return options;
}

BoundaryCase WithStandIns(BoundaryCase boundary) {
  if (!boundary.Needs("casefold") || CanFoldCase()) return boundary;
  for (SetupStep& step : boundary.setup) {
    if (step.op == "casefold_dir") step.op = "dir";
  }
  return boundary;
}

Outcome RunCase(const BoundaryCase& boundary, Resolver resolver, Way way) {
  World world(WithStandIns(boundary));
  const std::string problem = world.Build();
  if (!problem.empty()) {
    ADD_FAILURE() << "setup: " << problem;
    return {};
  }
  auto root = OpenRoot(world.root_path(), OptionsFor(boundary, resolver));
  if (!root) {
    ADD_FAILURE() << "root: " << Describe(root.error());
    return {};
  }
  EXPECT_EQ(root->active_resolver(), resolver);
  const Snapshot outside = world.Outside();
  const Snapshot inside = world.Inside();
  Outcome outcome = Perform(*root, world.placed(), way);
  const Difference changed_outside = Compare(outside, world.Outside());
  EXPECT_TRUE(changed_outside.empty()) << "changed outside:\n" << changed_outside.Text();
  const Difference changed = Compare(inside, world.Inside());
  if (!outcome.allowed || way == Way::kProbe) {
    EXPECT_TRUE(changed.empty()) << "changed although refused:\n" << changed.Text();
  } else {
    ExpectEffect(world.placed(), changed);
  }
  if (!outcome.allowed) ExpectNothingDisclosed(world, outcome.error);
  return outcome;
}

std::string Requirement(const BoundaryCase& boundary) {
  if (boundary.Needs("mount")) return EnterMountNamespace();
  return {};
}

class CaseTest : public ::testing::Test {
 public:
  CaseTest(const BoundaryCase& boundary, Resolver resolver)
      : case_(boundary), resolver_(resolver) {}

  void TestBody() override {
    if (const std::string missing = Requirement(case_); !missing.empty()) GTEST_SKIP() << missing;
    for (const Way way : {Way::kPlain, Way::kReplace, Way::kProbe}) {
      if (!Applies(case_, way)) continue;
      SCOPED_TRACE(way == Way::kPlain ? "plain" : way == Way::kReplace ? "replace" : "probe");
      Check(way, RunCase(case_, resolver_, way));
    }
  }

 private:
  void Check(Way way, const Outcome& outcome) const {
    const std::string answer = outcome.allowed ? "allow" : Describe(outcome.error);
    if (way == Way::kProbe) {
      EXPECT_TRUE(ProbeAgrees(case_, outcome.allowed)) << answer << ", expected " << case_.kind;
    } else {
      EXPECT_EQ(outcome.allowed, case_.allow) << answer << ", expected " << case_.kind;
    }
    if (!outcome.allowed && !case_.allow) ExpectKind(case_.kind, outcome.error);
    if (outcome.allowed && case_.content && way == Way::kPlain) {
      EXPECT_EQ(outcome.content, *case_.content);
    }
  }

  const BoundaryCase& case_;
  Resolver resolver_;
};

// Not only the verdict: both resolvers give the same refusal, violation and rule
// included.
class AgreementTest : public ::testing::Test {
 public:
  explicit AgreementTest(const BoundaryCase& boundary) : case_(boundary) {}

  void TestBody() override {
    if (const std::string missing = Requirement(case_); !missing.empty()) GTEST_SKIP() << missing;
    for (const Way way : {Way::kPlain, Way::kReplace, Way::kProbe}) {
      if (!Applies(case_, way)) continue;
      const Outcome kernel = RunCase(case_, Resolver::kOpenat2, way);
      const Outcome walk = RunCase(case_, Resolver::kWalk, way);
      ASSERT_EQ(kernel.allowed, walk.allowed);
      EXPECT_EQ(kernel.content, walk.content);
      EXPECT_EQ(Describe(kernel.error), Describe(walk.error));
      EXPECT_EQ(kernel.error.component, walk.error.component);
    }
  }

 private:
  const BoundaryCase& case_;
};

TEST(BoundaryCorpusCount, NoCaseIsLost) {
  const auto& cases = BoundaryCases();
  EXPECT_EQ(cases.size(), 474u);
  const auto posix = std::count_if(cases.begin(), cases.end(),
                                   [](const auto& item) { return item.platform == "posix"; });
  EXPECT_EQ(posix, 354);
  std::set<std::string> names;
  for (const BoundaryCase& item : cases) names.insert(TestName(item.id));
  EXPECT_EQ(names.size(), cases.size()) << "two cases share a test name";
}

void Register(const BoundaryCase& boundary) {
  const std::string name = TestName(boundary.id);
  for (const Resolver resolver : {Resolver::kOpenat2, Resolver::kWalk}) {
    const std::string suite = "BoundaryCorpus/" + ResolverName(resolver);
    ::testing::RegisterTest(
        suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&boundary, resolver]() -> ::testing::Test* { return new CaseTest(boundary, resolver); });
  }
  ::testing::RegisterTest(
      "BoundaryCorpus/agreement", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
      [&boundary]() -> ::testing::Test* { return new AgreementTest(boundary); });
}

}  // namespace
}  // namespace cordon::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (const auto& item : cordon::testing::BoundaryCases()) {
    if (item.platform == "posix") cordon::testing::Register(item);
  }
  return RUN_ALL_TESTS();
}
