// The harness must be able to fail: a guard that checks a path and then opens it
// by name is seen to escape in it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "tests/race/race.h"

namespace cordon::testing {
namespace {

// realpath, compare, open by name: the mistake that Root does not make.
Result<std::string> NaiveRead(const std::string& root, const std::string& path) {
  Error refused;
  refused.code = ErrorCode::kPathOutsideProject;
  char* resolved = ::realpath((root + "/" + path).c_str(), nullptr);
  const std::string checked = resolved == nullptr ? "" : resolved;
  std::free(resolved);
  if (!checked.starts_with(root + "/")) return refused;
  if (checked.ends_with("/.env")) return refused;
  const platform::UniqueFd file(
      ::open((root + "/" + path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  char buffer[64];
  const ssize_t got = file.valid() ? ::read(file.get(), buffer, sizeof buffer) : -1;
  if (got < 0) return refused;
  return std::string(buffer, static_cast<std::size_t>(got));
}

// Looks whether each entry is a link, then goes on by name.
Result<std::string> NaiveSearch(const std::string& root) {
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(entry.path(), error);
    if (error || status.type() != std::filesystem::file_type::directory) continue;
    const std::string path = entry.path().string() + "/secret";
    const platform::UniqueFd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    char buffer[64];
    const ssize_t got = file.valid() ? ::read(file.get(), buffer, sizeof buffer) : -1;
    if (got > 0 && std::string(buffer, static_cast<std::size_t>(got)) != "inside") {
      return std::string(buffer, static_cast<std::size_t>(got));
    }
  }
  return std::string("inside");
}

using Naive = std::function<Result<std::string>(const std::string& root)>;

void ExpectSeenToEscape(const std::vector<SetupStep>& steps, const char* first, const char* second,
                        const Naive& naive) {
  const Scratch scratch;
  ASSERT_EQ(BuildCase(scratch, steps), "");
  unsigned long escapes = 0;
  for (int round = 0; round < 10 && escapes == 0; ++round) {
    const Tally tally = Race({{true, scratch.At(first), scratch.At(second)}}, 1,
                             [&] { return FromRead(naive(scratch.At("root"))); });
    escapes += tally.escapes.size();
  }
  EXPECT_GT(escapes, 0u) << "the harness does not catch a guard that is known to be broken";
}

TEST(RaceControl, CheckThenOpenEscapesThroughDirectoryLink) {
  ExpectSeenToEscape({FileWith("root/d/secret", "inside"), Link("root/evil", "../outside")},
                     "root/d", "root/evil",
                     [](const std::string& root) { return NaiveRead(root, "d/secret"); });
}

TEST(RaceControl, CheckThenOpenReadsDeniedFile) {
  ExpectSeenToEscape(
      {FileWith("root/ok", "inside"), FileWith("root/.env", "SECRET"), Link("root/evil", ".env")},
      "root/ok", "root/evil", [](const std::string& root) { return NaiveRead(root, "ok"); });
}

TEST(RaceControl, CheckThenGoOnSearchesThroughDirectoryLink) {
  ExpectSeenToEscape({FileWith("root/d/secret", "inside"), Link("root/evil", "../outside")},
                     "root/d", "root/evil", NaiveSearch);
}

}  // namespace
}  // namespace cordon::testing
