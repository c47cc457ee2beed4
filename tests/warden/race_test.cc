// What is judged is what is done, whoever changes the path or the tree meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/warden/behind_warden.h"

namespace cordon::warden_test {
namespace {

using ::testing::HasSubstr;

const std::string kAttempt = CORDON_ATTEMPT;

TEST(WardenRace, APathRewrittenWhileItIsJudgedOpensNothingDenied) {
  const Workspace workspace;
  workspace.Write(".env", "SECRET\n");
  workspace.Write("aaaa", "open\n");
  const Outcome outcome =
      RunScript(TermsFor(workspace.path()), kAttempt + " race-path aaaa .env 10");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("escapes 0"));
  std::cout << outcome.output;
}

TEST(WardenRace, ATreeChangedWhileItIsWalkedLeadsToNothingDenied) {
  const Workspace workspace;
  workspace.Write(".env", "SECRET\n");
  workspace.Write("tree/x/file", "open\n");
  workspace.Shell("ln -s .. tree/y; ln -s ../.env tree/l");
  const Outcome outcome = RunScript(TermsFor(workspace.path()), kAttempt + " race-tree 10");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("escapes 0"));
  std::cout << outcome.output;
}

// By its text the path is the system's: up from a directory that is moved meanwhile, it is not.
TEST(WardenRace, APathUpFromAMovedDirectoryLeadsToNothingDenied) {
  const Workspace workspace;
  std::string deep = "deep", up = "../../";
  for (const char letter : workspace.path()) {
    if (letter != '/') continue;
    deep += "/e";
    up += "../";
  }
  workspace.Write("usr/.env", "SECRET\n");
  workspace.Shell("mkdir -p moved/d " + deep + "; " + kAttempt + " race-move moved/d " + deep +
                  "/d 60 >/dev/null 2>&1 & echo $! >mover");
  std::string path = workspace.path() + "/moved/d/";
  while (path.size() < 3000) path += "./";  // so that there is time to move it
  const Outcome outcome =
      RunScript(TermsFor(workspace.path()), kAttempt + " race-up " + path + up + "usr/.env 10");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("escapes 0"));
  std::cout << outcome.output;
  workspace.Shell("kill $(cat mover)");
}

// Changed from outside: by somebody whose calls the warden does not do itself.
TEST(WardenRace, ATreeChangedFromOutsideLeadsToNothingDenied) {
  const Workspace workspace;
  workspace.Write(".env", "SECRET\n");
  workspace.Write("a", "open\n");
  workspace.Shell(
      "(end=$((SECONDS+6)); while [ $SECONDS -lt $end ]; do ln -sfn .env l; ln -sfn a l; done) "
      ">/dev/null 2>&1 &");
  const Outcome outcome =
      RunScript(TermsFor(workspace.path()), "for i in $(seq 1 600); do cat l; done; echo end");
  EXPECT_THAT(outcome.output, HasSubstr("end"));
  EXPECT_THAT(outcome.output, HasSubstr("open"));
  EXPECT_THAT(outcome.output, ::testing::Not(HasSubstr("SECRET")));
  workspace.Shell("sleep 6");
}

}  // namespace
}  // namespace cordon::warden_test
