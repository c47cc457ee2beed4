// Asks the two resolvers and the model the same questions about random trees;
// the first difference is printed with its seed and ends the run.
//
//   differential_fuzz [--trees N] [--seed S] [--jobs J] [--tree I]
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "tests/differential/disk.h"
#include "tests/differential/generator.h"
#include "tests/model/tree.h"
#include "tests/support/resolvers.h"
#include "tests/support/scratch.h"
#include "tests/support/setup.h"
#include "tests/support/snapshot.h"

namespace cordon::differential {
namespace {

struct Options {
  std::uint64_t trees = 20'000;
  std::uint64_t seed = 1;
  std::uint64_t jobs = 2;
  std::optional<std::uint64_t> only;  // one tree, to look at a difference again
};

constexpr const char* kModelScratch = "/scratch";
constexpr const char* kModelRoot = "/scratch/root";

std::string PlaceInModel(const std::string& text) {
  return testing::Substitute(text, kModelScratch, kModelRoot);
}

model::Tree BuildModel(const std::vector<Entry>& entries) {
  model::Tree tree({kModelRoot});
  for (const Entry& entry : entries) {
    auto node = std::make_shared<model::Node>();
    if (entry.kind == EntryKind::kFile) {
      *node = model::Node{model::Kind::kFile, entry.text, 1, {}};
    } else if (entry.kind == EntryKind::kLink) {
      *node = model::Node{model::Kind::kLink, PlaceInModel(entry.text), 1, {}};
    }
    tree.PutHere(entry.path, node);
  }
  return tree;
}

// Empty where the contract does not decide: the two resolvers are compared then.
std::optional<model::Answer> ActInModel(model::Tree& tree, const Step& step) {
  const std::string path = PlaceInModel(step.path);
  switch (step.op) {
    case Op::kRead: return tree.Read(path);
    case Op::kList: return tree.List(path);
    case Op::kStat: return tree.Stat(path);
    case Op::kStatLink: return tree.StatLink(path);
    case Op::kCreate: return tree.Create(path, "new");
    case Op::kReplace: return tree.Create(path, "new");
    case Op::kCreateExclusive: return tree.CreateExclusive(path, "new");
    case Op::kWrite: return tree.Write(path, "new");
    case Op::kAppend: return tree.Append(path, "new");
    case Op::kMkdir: return tree.Mkdir(path);
    case Op::kRemove: return tree.Remove(path);
    case Op::kRemoveAll: return tree.RemoveAll(path);
    case Op::kRename: return tree.Rename(path, PlaceInModel(step.other));
    case Op::kReadLink: return tree.ReadLink(path);
    case Op::kMkdirAll: return tree.MkdirAll(path);
    case Op::kSymlink: return tree.Symlink(PlaceInModel(step.other), path);
  }
  return std::nullopt;
}

std::string ModelText(const model::Answer& answer) {
  if (answer.allowed()) return "allow \"" + answer.value + "\"";
  std::string text;
  for (const ErrorCode code : answer.codes) {
    text += (text.empty() ? "" : " or ") + std::string(ErrorCodeName(code));
  }
  return text;
}

void PutBack(std::string& text, std::string_view placed, std::string_view placeholder) {
  for (std::size_t at = text.find(placed); at != std::string::npos; at = text.find(placed, at)) {
    text.replace(at, placed.size(), placeholder);
  }
}

std::string Unplaced(std::string text) {
  PutBack(text, kModelRoot, "${ROOT}");
  PutBack(text, kModelScratch, "${SCRATCH}");
  return text;
}

bool Agrees(const Reply& reply, const model::Answer& answer) {
  if (reply.allowed != answer.allowed()) return false;
  return reply.allowed ? reply.value == Unplaced(answer.value) : answer.Admits(reply.code);
}

class Worker {
 public:
  explicit Worker(const Options& options)
      : options_(options),
        scratch_(::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ""),
        prepared_(testing::Build(scratch_, {testing::Dir("kernel"), testing::Dir("walk"),
                                            testing::FileWith("outside/secret", "SECRET")})),
        kernel_(scratch_.path(), scratch_.At("kernel"), confine::Resolver::kOpenat2),
        walk_(scratch_.path(), scratch_.At("walk"), confine::Resolver::kWalk) {}

  // False at the first difference.
  bool Run(std::uint64_t first, std::uint64_t stride) {
    if (!prepared_.empty()) return Complain("scratch: " + prepared_);
    const testing::Snapshot outside = Outside();
    for (std::uint64_t tree = first; tree < options_.trees; tree += stride) {
      if (!RunTree(options_.only.value_or(tree))) return false;
      if (options_.only) break;
    }
    if (!testing::Compare(outside, Outside()).empty()) return Complain("something outside changed");
    return true;
  }

 private:
  static bool Complain(const std::string& text) {
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
    return false;
  }

  testing::Snapshot Outside() const { return testing::Take(scratch_.At("outside")); }

  bool RunTree(std::uint64_t index) {
    const Scenario scenario = Generate(options_.seed * 0x100000001b3u + index);
    model::Tree tree = BuildModel(scenario.entries);
    if (!kernel_.Build(scenario.entries) || !walk_.Build(scenario.entries)) {
      return Complain("tree " + std::to_string(index) + " cannot be built");
    }
    for (std::size_t at = 0; at < scenario.steps.size(); ++at) {
      const Step& step = scenario.steps[at];
      const Reply kernel = kernel_.Act(step);
      const Reply walk = walk_.Act(step);
      const auto answer = ActInModel(tree, step);
      const bool same = kernel.Text() == walk.Text() && (!answer || Agrees(kernel, *answer));
      if (same && SameEffect(step, tree, answer)) continue;
      Report(index, scenario, at);
      return Complain("openat2: " + kernel.Text() + "\nwalk:    " + walk.Text() +
                      "\nmodel:   " + (answer ? ModelText(*answer) : "does not decide") +
                      "\nafterwards, openat2:\n" + kernel_.Dump() + "afterwards, walk:\n" +
                      walk_.Dump() + "afterwards, model:\n" + Unplaced(tree.Dump()));
    }
    return true;
  }

  // Whatever the answer was, all three trees look the same afterwards.
  bool SameEffect(const Step& step, const model::Tree& tree,
                  const std::optional<model::Answer>& answer) const {
    if (!Changes(step.op)) return true;
    const std::string after = kernel_.Dump();
    return after == walk_.Dump() && (!answer || after == Unplaced(tree.Dump()));
  }

  void Report(std::uint64_t index, const Scenario& scenario, std::size_t failed) const {
    std::string text = "difference: --seed " + std::to_string(options_.seed) + " --tree " +
                       std::to_string(index) + "\ntree:\n";
    for (const Entry& entry : scenario.entries) {
      text += "  " + entry.path +
              (entry.kind == EntryKind::kDirectory ? "/"
               : entry.kind == EntryKind::kLink    ? " -> " + entry.text
                                                   : "") +
              "\n";
    }
    text += "steps, the last one at issue:\n";
    for (std::size_t at = 0; at <= failed; ++at) {
      const Step& step = scenario.steps[at];
      if (at < failed && !Changes(step.op)) continue;
      text += "  " + std::string(OpName(step.op)) + " \"" + step.path + "\"";
      if (!step.other.empty()) text += " \"" + step.other + "\"";
      text += "\n";
    }
    Complain(text);
  }

  Options options_;
  testing::Scratch scratch_;
  std::string prepared_;
  Disk kernel_;
  Disk walk_;
};

bool Parse(int argc, char** argv, Options& options) {
  for (int at = 1; at + 1 < argc; at += 2) {
    const std::string name = argv[at];
    const std::uint64_t value = std::strtoull(argv[at + 1], nullptr, 10);
    if (name == "--trees") {
      options.trees = value;
    } else if (name == "--seed") {
      options.seed = value;
    } else if (name == "--jobs") {
      options.jobs = value;
    } else if (name == "--tree") {
      options.only = value;
      options.jobs = 1;
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && options.jobs > 0;
}

int RunAll(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<pid_t> children;
  for (std::uint64_t job = 0; job < options.jobs; ++job) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool same = false;
      {
        Worker worker(options);
        same = worker.Run(job, options.jobs);
      }
      ::_exit(same ? 0 : 1);
    }
    if (child < 0) return 3;
    children.push_back(child);
  }
  bool same = true;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    same = same && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%s in %llu trees, seed %llu, %.1f s\n", same ? "no difference" : "DIFFERENCE",
              static_cast<unsigned long long>(options.only ? 1 : options.trees),
              static_cast<unsigned long long>(options.seed), took.count());
  return same ? 0 : 1;
}

}  // namespace
}  // namespace cordon::differential

int main(int argc, char** argv) {
  cordon::differential::Options options;
  if (!cordon::differential::Parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: %s [--trees N] [--seed S] [--jobs J] [--tree I]\n", argv[0]);
    return 2;
  }
  return cordon::differential::RunAll(options);
}
