// A race, live: one process swaps a directory for a link to outside as fast as
// it can; another reads through it, once with a guard that resolves, compares
// and then opens by name, and once with Cordon. Prints who was led outside.
//
//   cordon_demo_race SCRATCH_DIRECTORY [SECONDS]
//
// Exit status: 0 when the naive guard escaped and Cordon never did.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/workspace.h"

namespace {

constexpr std::string_view kInside = "ordinary content\n";
constexpr std::string_view kOutside = "the secret\n";
constexpr const char* kRequest = "d/file.txt";

struct Tally {
  std::string name;
  long inside = 0;
  long refused = 0;
  long escapes = 0;

  void Count(const std::optional<std::string>& content) {
    if (content == kOutside) {
      ++escapes;
    } else if (content == kInside) {
      ++inside;
    } else {
      ++refused;  // or not there for a moment
    }
  }
};

bool WriteFile(const std::string& path, std::string_view content) {
  std::ofstream file(path);
  file << content;
  return static_cast<bool>(file.flush());
}

// w/d is a directory; w/other is a link to the directory outside that looks
// just like it. Exchanging the two names is one atomic step.
bool BuildScene(const std::string& scratch) {
  const std::string workspace = scratch + "/w";
  return mkdir(workspace.c_str(), 0755) == 0 && mkdir((workspace + "/d").c_str(), 0755) == 0 &&
         mkdir((scratch + "/outside").c_str(), 0755) == 0 &&
         WriteFile(workspace + "/d/file.txt", kInside) &&
         WriteFile(scratch + "/outside/file.txt", kOutside) &&
         symlink("../outside", (workspace + "/other").c_str()) == 0;
}

[[noreturn]] void SwapForever(const std::string& workspace, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
  const int directory = open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (;;) {
    if (renameat2(directory, "d", directory, "other", RENAME_EXCHANGE) != 0) _exit(1);
  }
}

// What many guards do: find the real path, compare it with the root, open the
// path by its name. Between the last two steps the name may change its meaning.
std::optional<std::string> ReadNaively(const std::string& workspace) {
  const std::string path = workspace + "/" + kRequest;
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) == nullptr) return std::nullopt;
  if (!std::string_view(real).starts_with(workspace + "/")) return std::nullopt;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char content[64];
  const ssize_t size = read(file, content, sizeof content);
  close(file);
  if (size < 0) return std::nullopt;
  return std::string(content, static_cast<std::size_t>(size));
}

std::optional<std::string> ReadThroughCordon(const cordon::Workspace& workspace) {
  auto content = workspace.ReadFile(kRequest);
  if (!content) return std::nullopt;
  return *content;
}

struct Guard {
  Tally tally;
  cordon::Workspace workspace;
};

// One guard for each of the two ways in which Cordon resolves paths.
std::vector<Guard> OpenGuards(const std::string& root) {
  std::vector<Guard> guards;
  for (const char* resolver : {"openat2", "walk"}) {
    setenv("CORDON_RESOLVER", resolver, 1);
    auto workspace = cordon::Workspace::Open(root);
    if (!workspace) {
      fprintf(stderr, "  Cordon (%s) is not available here: %s\n", resolver,
              workspace.error().detail.c_str());
      continue;
    }
    guards.push_back(
        {Tally{.name = std::string("Cordon (") + resolver + ")"}, std::move(*workspace)});
  }
  unsetenv("CORDON_RESOLVER");
  return guards;
}

void Print(const Tally& tally) {
  printf("  %-26s %9ld read inside %9ld refused %9ld ESCAPED\n", tally.name.c_str(), tally.inside,
         tally.refused, tally.escapes);
}

int Race(const std::string& workspace, std::vector<Guard>& guards, double seconds) {
  using Clock = std::chrono::steady_clock;
  const pid_t parent = getpid();
  const pid_t swapper = fork();
  if (swapper < 0) return 2;
  if (swapper == 0) SwapForever(workspace, parent);

  Tally naive{.name = "realpath, compare, open"};
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  // On a busy machine the naive guard may need longer to be caught.
  while (elapsed() < seconds || (naive.escapes == 0 && elapsed() < 5 * seconds)) {
    for (int i = 0; i < 64; ++i) {
      naive.Count(ReadNaively(workspace));
      for (Guard& guard : guards) guard.tally.Count(ReadThroughCordon(guard.workspace));
    }
  }
  const bool swapped_to_the_end = waitpid(swapper, nullptr, WNOHANG) == 0;
  kill(swapper, SIGKILL);
  waitpid(swapper, nullptr, 0);

  Print(naive);
  bool held = swapped_to_the_end && naive.escapes > 0 && !guards.empty();
  for (const Guard& guard : guards) {
    Print(guard.tally);
    // Refusing everything would be no feat: the honest reads must have gone on.
    held = held && guard.tally.escapes == 0 && guard.tally.inside > 0;
  }
  return held ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: cordon_demo_race SCRATCH_DIRECTORY [SECONDS]\n");
    return 2;
  }
  char real[PATH_MAX];
  if (realpath(argv[1], real) == nullptr || !BuildScene(real)) {
    perror("cordon_demo_race: the scene could not be built");
    return 2;
  }
  const std::string workspace = std::string(real) + "/w";
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 3.0;
  std::vector<Guard> guards = OpenGuards(workspace);
  return Race(workspace, guards, seconds);
}
