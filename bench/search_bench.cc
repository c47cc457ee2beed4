// search_bench [--json FILE] [--enforce] [--rounds N]
//
// grep and glob, through the guard with the audit log on, against ripgrep and fd on one
// tree that is made here. Every round runs each contender once, in an order that turns from
// round to round; the medians are held against what must hold. Ours runs in this process
// and writes its answer as text, as the others do; theirs includes starting them. Beside
// that the whole program, `cordon tool`, is timed, from its start to its end.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "audit/log.h"
#include "bench/arguments.h"
#include "bench/search_tree.h"
#include "confine/ambient_authority.h"
#include "guard/guard.h"
#include "search/glob_search.h"
#include "search/grep_search.h"

namespace cordon::bench {
namespace {

constexpr int kRounds = 11;
constexpr double kMost = 1.2;
constexpr std::size_t kEverything = 100'000'000;

[[noreturn]] void Fail(const std::string& why) {
  std::cerr << "search_bench: " << why << '\n';
  std::exit(2);
}

std::string MakeTemporary() {
  std::string name = (std::filesystem::temp_directory_path() / "cordon-search-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) Fail("cannot make a temporary directory");
  return std::filesystem::canonical(name).string();
}

std::unique_ptr<guard::Guard> MakeGuard(const std::string& root, const std::string& state) {
  policy::Settings settings;
  settings.profile = policy::Profile::kStrict;
  settings.roots = {root};
  settings.deny = policy::DefaultDenyRules();
  const auto authority = confine::AmbientAuthority::OfThisProcess();
  auto boundary = guard::Boundary::Open(settings, confine::Resolver::kAuto, authority);
  if (!boundary) Fail(boundary.error().detail);
  auto log = audit::Log::Open({state + "/audit.jsonl", state + "/audit.key"}, {}, authority);
  if (!log) Fail(log.error().detail);
  guard::Session session;
  session.id = "0123456789abcdef0123456789abcdef";
  session.actor = "bench";
  auto guard = guard::Guard::Start({std::move(*boundary), std::move(*log), nullptr, session});
  if (!guard) Fail(guard.error().detail);
  return std::move(*guard);
}

// Runs a program with its output in `file`; fails unless it exits with 0.
void RunProgram(const std::vector<std::string>& words, const std::string& where,
                const std::string& file) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    for (const char* name : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}) {
      ::setenv(name, std::filesystem::path(file).parent_path().c_str(), 1);
    }
    const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int in = ::open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 ||
        ::chdir(where.c_str()) != 0) {
      std::_Exit(126);
    }
    ::execvp(arguments[0], arguments.data());
    std::_Exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) Fail("cannot start " + words[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) Fail(words[0] + " failed or found nothing");
}

std::vector<std::string> SortedLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line.starts_with("./") ? line.substr(2) : line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string Content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Text(const search::GrepAnswer& answer) {
  std::string text;
  std::size_t size = 0;
  for (const search::GrepFile& file : answer.files) {
    size += file.hits.text.size() + file.hits.lines.size() * (file.path.size() + 12);
  }
  text.reserve(size);
  for (const search::GrepFile& file : answer.files) {
    for (const search::ToldLine& line : file.hits.lines) {
      ((text += file.path) += ':') += std::to_string(line.number);
      ((text += ':') += file.hits.TextOf(line)) += '\n';
    }
  }
  return text;
}

struct Contest {
  std::string name;
  std::string what;
  std::function<std::string(guard::Guard&)> ours;
  std::vector<std::string> theirs;
  std::vector<std::string> whole = {};  // the program that does the same; empty: none
  std::vector<double> our_ms = {}, their_ms = {}, whole_ms = {};
  std::size_t lines = 0;
};

std::function<std::string(guard::Guard&)> Grep(const std::string& pattern, search::PatternMode mode,
                                               search::LetterCase letter_case) {
  return [=](guard::Guard& guard) {
    search::GrepTerms terms;
    terms.pattern = pattern;
    terms.pattern_terms = {mode, letter_case};
    terms.limit = kEverything;
    auto grep = search::GrepSearch::Make(terms);
    if (!grep) Fail(grep.error().detail);
    confine::SearchTerms reach;
    reach.reach = confine::SearchReach::kContents;
    const guard::Call call{"grep", policy::ToolKind::kRead, {}};
    auto done = guard.Search(call, ".", reach, **grep);
    if (!done) Fail(done.error().detail);
    return Text((*grep)->Take());
  };
}

std::function<std::string(guard::Guard&)> Glob(const std::string& pattern,
                                               search::GlobOrder order) {
  return [=](guard::Guard& guard) {
    search::GlobTerms terms;
    terms.pattern = pattern;
    terms.order = order;
    terms.limit = kEverything;
    auto glob = search::GlobSearch::Make(terms);
    if (!glob) Fail(glob.error().detail);
    const guard::Call call{"glob", policy::ToolKind::kRead, {}};
    auto done = guard.Search(call, ".", {}, **glob);
    if (!done) Fail(done.error().detail);
    std::string text;
    for (const search::GlobFound& found : (*glob)->Take().found) (text += found.path) += '\n';
    return text;
  };
}

std::vector<Contest> Contests() {
  using search::LetterCase;
  using search::PatternMode;
  const std::vector<std::string> rg = {
      "rg", "--no-config", "--no-heading", "--line-number", "--with-filename", "--color=never"};
  const auto with = [](std::vector<std::string> words, std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
    return words;
  };
  const std::vector<std::string> fd = {"fdfind", "--color=never", "--type=f", "--type=l"};
  const std::string expression = R"(throw [A-Z]\w+Error\(\w+, 4\d\d\))";
  const auto tool = [](const std::string& name, const std::string& arguments) {
    return std::vector<std::string>{CORDON_PROGRAM, "tool",   name,     "--root", ".",
                                    "--text",       "--json", arguments};
  };
  return {
      {"rare_literal", "a rare literal",
       Grep(kRareWord, PatternMode::kLiteral, LetterCase::kSensitive),
       with(rg, {"-F", "-e", kRareWord, "."}),
       tool("grep", R"({"limit": 100000, "mode": "literal", "pattern": ")" +
                        std::string(kRareWord) + R"("})")},
      {"common_literal", "a common literal",
       Grep(kCommonWord, PatternMode::kLiteral, LetterCase::kSensitive),
       with(rg, {"-F", "-e", kCommonWord, "."}),
       tool("grep", R"({"limit": 100000, "mode": "literal", "pattern": ")" +
                        std::string(kCommonWord) + R"("})")},
      {"folded_word", "a case-insensitive word",
       Grep(kFoldedWord, PatternMode::kLiteral, LetterCase::kInsensitive),
       with(rg, {"-i", "-F", "-e", kFoldedWord, "."}),
       tool("grep", R"({"limit": 100000, "case": "insensitive", "pattern": ")" +
                        std::string(kFoldedWord) + R"("})")},
      {"expression", "a regular expression",
       Grep(expression, PatternMode::kRegex, LetterCase::kSensitive),
       with(rg, {"-e", expression, "."}),
       tool("grep",
            R"json({"limit": 100000, "pattern": "throw [A-Z]\\w+Error\\(\\w+, 4\\d\\d\\)"})json")},
      {"glob_newest", "glob, newest first, against fd",
       Glob("**/*.py", search::GlobOrder::kNewestFirst), with(fd, {"--glob", "*.py"}),
       tool("glob", R"({"limit": 100000, "pattern": "**/*.py"})")},
      {"glob_all", "glob of everything, by path, against fd",
       Glob("**/*", search::GlobOrder::kPath), with(fd, {"--glob", "*"}),
       tool("glob", R"({"limit": 100000, "sort": "path", "pattern": "**/*"})")},
  };
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double MillisecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void CheckSame(Contest& contest, guard::Guard& guard, const std::string& tree,
               const std::string& out) {
  RunProgram(contest.theirs, tree, out);
  const std::vector<std::string> theirs = SortedLines(Content(out));
  const std::vector<std::string> ours = SortedLines(contest.ours(guard));
  contest.lines = ours.size();
  if (!contest.whole.empty()) {
    RunProgram(contest.whole, tree, out);
    if (SortedLines(Content(out)) != theirs) Fail(contest.name + ": the program tells other lines");
  }
  if (ours == theirs) return;
  std::vector<std::string> differ;
  std::set_symmetric_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                std::back_inserter(differ));
  Fail(contest.name + ": " + std::to_string(ours.size()) + " lines against " +
       std::to_string(theirs.size()) + ", first that differs: " + differ.front());
}

double RatioOf(const Contest& contest) { return Median(contest.our_ms) / Median(contest.their_ms); }

std::string Line(const Contest& contest) {
  char text[240];
  std::snprintf(text, sizeof text, "%-40s %7zu lines  ours %7.1f ms  theirs %7.1f ms  x%.3f  %s",
                contest.what.c_str(), contest.lines, Median(contest.our_ms),
                Median(contest.their_ms), RatioOf(contest),
                RatioOf(contest) <= kMost ? "met" : "NOT MET");
  std::string line = text;
  if (contest.whole_ms.empty()) return line;
  std::snprintf(text, sizeof text, "; whole program %.1f ms, x%.3f", Median(contest.whole_ms),
                Median(contest.whole_ms) / Median(contest.their_ms));
  return line + text;
}

std::string Json(const std::vector<Contest>& contests, const TreeSize& size, int rounds) {
  std::ostringstream text;
  text << "{\"rounds\": " << rounds << ", \"files\": " << size.files
       << ", \"bytes\": " << size.bytes << ", \"limits\": [";
  const char* between = "";
  for (const Contest& contest : contests) {
    text << between << "{\"name\": \"" << contest.name << "\", \"lines\": " << contest.lines
         << ", \"ours_ms\": " << Median(contest.our_ms)
         << ", \"theirs_ms\": " << Median(contest.their_ms)
         << ", \"whole_program_ms\": " << (contest.whole_ms.empty() ? 0 : Median(contest.whole_ms))
         << ", \"measured\": " << RatioOf(contest) << ", \"bound\": " << kMost
         << ", \"met\": " << (RatioOf(contest) <= kMost ? "true" : "false") << "}";
    between = ", ";
  }
  text << "]}\n";
  return text.str();
}

int Main(int argc, char** argv) {
  const Arguments arguments = ParseArguments(argc, argv, "search_bench", kRounds);
  const std::string tree = MakeTemporary();
  const std::string state = MakeTemporary();
  const std::string out = state + "/out";
  const TreeSize size = MakeTree(tree);
  std::cout << "tree: " << size.files << " files, " << size.bytes / 1'000'000 << " MB\n";
  std::vector<Contest> contests = Contests();
  {
    const auto guard = MakeGuard(tree, state);
    // Also warms the cache.
    for (Contest& contest : contests) CheckSame(contest, *guard, tree, out);
    for (int round = 0; round < arguments.rounds; ++round) {
      for (Contest& contest : contests) {
        const auto us = [&] {
          contest.our_ms.push_back(MillisecondsOf([&] {
            std::ofstream file(out, std::ios::binary);
            file << contest.ours(*guard);
          }));
        };
        const auto them = [&] {
          contest.their_ms.push_back(
              MillisecondsOf([&] { RunProgram(contest.theirs, tree, out); }));
        };
        if (!contest.whole.empty()) {
          contest.whole_ms.push_back(MillisecondsOf([&] { RunProgram(contest.whole, tree, out); }));
        }
        round % 2 == 0 ? us() : them();
        round % 2 == 0 ? them() : us();
      }
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(tree, ignored);
  bool met = true;
  for (const Contest& contest : contests) {
    std::cout << Line(contest) << '\n';
    met = met && RatioOf(contest) <= kMost;
  }
  if (!arguments.json.empty()) {
    std::ofstream json(arguments.json);
    json << Json(contests, size, arguments.rounds);
    if (!json.flush()) Fail("cannot write " + arguments.json);
  }
  std::filesystem::remove_all(state, ignored);
  return arguments.enforce && !met ? 1 : 0;
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) { return cordon::bench::Main(argc, argv); }
