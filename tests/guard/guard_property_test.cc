// Random rules, answers and requests: the guard and the model must agree on each.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "confine/ambient_authority.h"
#include "guard/guard.h"
#include "policy/settings.h"
#include "tests/guard/fake_channel.h"
#include "tests/guard/guard_model.h"
#include "tests/guard/memory_recorder.h"
#include "tests/support/scratch.h"

namespace cordon::testing {
namespace {

using consent::Choice;
using Kind = ModelVerdict::Kind;

std::string ContentOf(const std::string& path) { return "this is " + path + "\n"; }

// The same tree for every sequence, put right again after each request.
class World {
 public:
  World() {
    char* real = ::realpath(scratch_.path().c_str(), nullptr);
    base_ = real;
    ::free(real);
    tree_.workspace = base_ + "/w";
    tree_.kept = {tree_.workspace};
    for (std::string up = base_;; up = up.substr(0, up.rfind('/'))) {
      tree_.directories.insert(up.empty() ? "/" : up);
      if (up.empty()) break;
    }
    for (const char* name : {"w", "w/sub", "o1", "o1/sub", "o2"}) AddDirectory(name);
    for (const char* name : {"w/a", "w/b", "w/.env", "w/sub/c", "w/sub/.env", "o1/a", "o1/b",
                             "o1/.env", "o1/sub/c", "o2/a"}) {
      tree_.files.insert(base_ + "/" + name);
    }
    tree_.links = {{base_ + "/w/in", "sub"},
                   {base_ + "/w/out", "../o1"},
                   {base_ + "/w/abs", base_ + "/w/sub"},
                   {base_ + "/w/fl", "a"},
                   {base_ + "/w/outf", "../o1/a"},
                   {base_ + "/w/envl", ".env"},
                   {base_ + "/w/oenv", "../o1/.env"},
                   {base_ + "/o1/back", base_ + "/w"}};
    Restore();
  }

  void Restore() {
    for (const std::string& file : tree_.files) std::ofstream(file) << ContentOf(file);
    for (const auto& [name, text] : tree_.links) {
      if (::access(name.c_str(), F_OK) != 0 || ::unlink(name.c_str()) == 0) {
        ASSERT_TRUE(::symlink(text.c_str(), name.c_str()) == 0) << name;
      }
    }
    for (const std::string& directory : tree_.directories) {
      const std::string made = directory + "/new";
      if (directory.starts_with(base_ + "/")) {
        ::unlink(made.c_str());
        ::rmdir(made.c_str());
      }
    }
  }

  std::vector<std::string> Paths() const {
    std::vector<std::string> paths{"a",          "b",         "new",       ".env",      "sub/c",
                                   "sub/new",    "sub/.env",  "in/c",      "in",        "abs/c",
                                   "abs/new",    "fl",        "envl",      "out/a",     "out/b",
                                   "outf",       "out/new",   "out/.env",  "oenv",      "../o1/a",
                                   "../o2/a",    "../o2/new", "out/sub/c", "nodir/x",   "sub/../a",
                                   "out/back/a", "a/x",       "../w/a",    "out/../w/b"};
    for (const char* name : {"w/a", "w/new", "o1/a", "o1/b", "o1/.env", "o1/sub/c", "o1/sub/new",
                             "o1/new", "o1/nodir/x", "o1/back/a", "o2/a", "o2/new", "o1/../w/a"}) {
      paths.push_back(base_ + "/" + name);
    }
    return paths;
  }
  std::vector<std::string> Directories() const {
    return {"sub", "in", "out", "out/sub", base_ + "/o1", base_ + "/o2", base_ + "/w", "."};
  }
  const ModelTree& tree() const { return tree_; }

 private:
  void AddDirectory(const std::string& name) {
    tree_.directories.insert(base_ + "/" + name);
    ASSERT_EQ(::mkdir((base_ + "/" + name).c_str(), 0755), 0);
  }
  // In memory where that can be had: what is flushed to the disk is not the question.
  Scratch scratch_{::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ""};
  std::string base_;
  ModelTree tree_;
};

class Sequence {
 public:
  Sequence(World& world, unsigned seed) : world_(world), random_(seed) {
    ModelPolicy policy = MakePolicy();
    settings_.roots = {world.tree().workspace};
    model_.emplace(std::move(policy), world.tree());
    channel_ =
        std::make_shared<FakeChannel>([this](const auto& question) { return Reply(question); });
    Guard::Parts parts{
        *guard::Boundary::Open(settings_, confine::Resolver::kAuto,
                               confine::AmbientAuthority::OfThisProcess()),
        recorder_,
        std::make_shared<consent::Desk>(std::vector<std::shared_ptr<consent::Channel>>{channel_}),
        {"s", "agent", "", "", policy::Subject::kAgent}};
    guard_ = *Guard::Start(std::move(parts));
  }

  void Run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) Step();
  }
  int served() const { return served_; }
  int asked() const { return static_cast<int>(channel_->asked().size()); }

 private:
  using Guard = guard::Guard;

  unsigned Pick(unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random_);
  }

  ModelPolicy MakePolicy() {
    ModelPolicy policy;
    const char* const profiles[] = {"interactive", "interactive", "interactive", "strict",
                                    "sandboxed"};
    policy.profile = profiles[Pick(5)];
    settings_.profile = *policy::ParseProfile(policy.profile);
    const char* const names[] = {".env", "b", "c", "sub", "new", "in", "o2"};
    const char* const ops[] = {"read", "write", "create", "delete", "list", "mkdir"};
    for (const char* name : names) {
      if (Pick(5) != 0) continue;
      ModelRule rule{name, {}};
      policy::DenyRule deny;
      deny.pattern = name;
      if (Pick(2) == 0) {
        deny.operations.reset();
        const std::string op = ops[Pick(6)];
        rule.ops.insert(op);
        deny.operations.set(static_cast<std::size_t>(*ParseOperation(op)));
      }
      policy.deny.push_back(rule);
      settings_.deny.push_back(deny);
    }
    const char* const levels[] = {"allow", "session", "always", "deny"};
    for (const char* kind : {"read", "write", "delete"}) {
      if (Pick(3) != 0) continue;
      const std::string level = levels[Pick(4)];
      policy.tools.emplace_back(kind, level);
      settings_.tools.push_back({kind, *policy::ParseToolLevel(level), ""});
    }
    return policy;
  }

  Result<Choice> Reply(const consent::Question& question) {
    switch (Pick(6)) {
      case 0: return ChannelError(ErrorCode::kTimeout);
      case 1: return ChannelError(ErrorCode::kConsentUnavailable);
      case 2: last_ = Choice::kDeny; break;
      case 3:
        last_ = question.Offers(Choice::kDirectory) ? Choice::kDirectory : Choice::kOnce;
        break;
      case 4: last_ = question.Offers(Choice::kTool) ? Choice::kTool : Choice::kOnce; break;
      default: last_ = Choice::kOnce; break;
    }
    return last_;
  }

  Status Perform(const ModelRequest& request) {
    guard::Call call;
    call.tool = request.op;
    call.kind = *policy::ParseToolKind(GuardModel::KindOf(request.op));
    if (request.op == "read") {
      auto file = guard_->OpenRead(call, request.path);
      if (!file) return std::move(file.error());
      content_ = *file->ReadAll(1000);
      return {};
    }
    if (request.op == "write") return guard_->Write(call, request.path, "overwritten");
    if (request.op == "delete") return guard_->Remove(call, request.path);
    if (request.op == "mkdir") return guard_->Mkdir(call, request.path);
    auto listed = guard_->List(call, request.path);
    if (!listed) return std::move(listed.error());
    return {};
  }

  ModelRequest MakeRequest() {
    const char* const ops[] = {"read", "read", "write", "delete", "list", "mkdir"};
    ModelRequest request;
    request.op = ops[Pick(6)];
    const auto paths = request.op == "list" ? world_.Directories() : world_.Paths();
    request.path = paths[Pick(static_cast<unsigned>(paths.size()))];
    return request;
  }

  void Step() {
    const ModelRequest request = MakeRequest();
    const ModelVerdict expected = model_->Judge(request);
    const std::size_t before = channel_->asked().size();
    last_ = Choice::kDeny;
    content_.clear();
    const Status done = Perform(request);
    const auto questions = channel_->asked();
    SCOPED_TRACE(
        request.op + " " + request.path + " -> " + expected.real + ": " +
        (done ? "done" : std::string(ErrorCodeName(done.error().code)) + " " + done.error().rule));
    if (expected.kind == Kind::kAsks) {
      ASSERT_EQ(questions.size(), before + 1);
      CheckQuestion(request, expected, questions.back(), done);
    } else {
      ASSERT_EQ(questions.size(), before);
      CheckOutcome(request, expected, done);
    }
    if (!done) return;
    ++served_;
    ASSERT_FALSE(model_->Denied(expected.real, request.op)) << "a denied name was served";
    if (request.op == "read") {
      ASSERT_EQ(content_, ContentOf(expected.real));
    }
    world_.Restore();
  }

  void CheckQuestion(const ModelRequest& request, const ModelVerdict& expected,
                     const consent::Question& question, const Status& done) {
    EXPECT_EQ(question.path, expected.real);
    EXPECT_EQ(question.directory, expected.directory);
    EXPECT_EQ(question.Offers(Choice::kTool), expected.tool_on_offer);
    if (last_ == Choice::kDeny) {
      ASSERT_FALSE(done);
      const ErrorCode code = done.error().code;
      EXPECT_TRUE(code == ErrorCode::kConsentDenied || code == ErrorCode::kConsentUnavailable);
      return;
    }
    if (last_ == Choice::kDirectory) model_->GrantDirectory(*question.directory);
    if (last_ == Choice::kTool) model_->TrustKind(request.op);
    CheckOutcome(request, model_->AfterYes(request), done);
  }

  void CheckOutcome(const ModelRequest&, const ModelVerdict& expected, const Status& done) {
    if (expected.kind == Kind::kServed) {
      ASSERT_TRUE(done);
    } else if (expected.kind == Kind::kFailed) {
      ASSERT_FALSE(done);
      EXPECT_FALSE(done.error().security_violation());
    } else {
      ASSERT_FALSE(done);
      EXPECT_TRUE(done.error().security_violation() || done.error().rule.starts_with("tool:"));
    }
  }

  World& world_;
  std::mt19937 random_;
  policy::Settings settings_;
  std::optional<GuardModel> model_;
  std::shared_ptr<MemoryRecorder> recorder_ = std::make_shared<MemoryRecorder>();
  std::shared_ptr<FakeChannel> channel_;
  std::unique_ptr<Guard> guard_;
  Choice last_ = Choice::kDeny;
  std::string content_;
  int served_ = 0;
};

TEST(GuardProperty, AgreesWithTheModelOnEveryDecision) {
  World world;
  int served = 0, asked = 0;
  const char* const given = std::getenv("CORDON_GUARD_SEQUENCES");
  const unsigned sequences = given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 400;
  for (unsigned seed = 1; seed <= sequences && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Sequence sequence(world, seed);
    sequence.Run(60);
    served += sequence.served();
    asked += sequence.asked();
  }
  // Otherwise the test would be about nothing.
  EXPECT_GT(served, static_cast<int>(sequences));
  EXPECT_GT(asked, static_cast<int>(sequences));
  RecordProperty("served", served);
  RecordProperty("asked", asked);
}

}  // namespace
}  // namespace cordon::testing
