// git: what its subcommands read, write and fetch.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

using Words = std::vector<Word>;

enum class Touches {
  kReads,       // the repository
  kRepository,  // writes .git alone
  kTree,        // writes files of the working tree, too
  kFetches,     // talks to a remote and writes .git
  kPulls,       // the same, and the working tree
  kSends,       // talks to a remote
};

struct Subcommand {
  std::string_view names;
  Touches touches;
  std::string_view reading = "";  // first operands or options that make it read only
};

constexpr Subcommand kSubcommands[] = {
    {"status log diff show blame describe rev-parse rev-list ls-files ls-tree cat-file grep "
     "shortlog reflog help version whatchanged name-rev for-each-ref show-ref merge-base "
     "check-ignore var count-objects fsck cherry range-diff diff-tree diff-index diff-files "
     "check-attr show-branch annotate --version --help",
     Touches::kReads},
    {"add commit tag branch notes stage gc prune repack pack-refs update-index write-tree "
     "update-ref symbolic-ref replace commit-tree hash-object read-tree init",
     Touches::kRepository, "-l --list -a -v -vv"},
    {"remote", Touches::kRepository, "-v show get-url"},
    {"config", Touches::kRepository, "--get --get-all -l --list --get-regexp get list"},
    {"checkout switch restore reset merge rebase cherry-pick revert stash apply am clean mv rm "
     "bisect worktree sparse-checkout read-tree filter-branch filter-repo",
     Touches::kTree, "list show"},
    {"fetch ls-remote", Touches::kFetches},
    {"pull clone submodule", Touches::kPulls},
    {"push send-email request-pull", Touches::kSends},
};

const Subcommand* Find(std::string_view name) {
  for (const Subcommand& row : kSubcommands) {
    if (IsOneOf(name, row.names)) return &row;
  }
  return nullptr;
}

void Unknown(const Word& text, std::string_view why, Risk risk, Interpreter& shell) {
  shell.findings().DontKnow(text.text(), why, "unknown-code", risk);
}

// Settings that name a program to run.
bool RunsPrograms(const Word& setting) {
  std::string_view text = setting.text();
  text = text.substr(0, text.find('='));
  for (const std::string_view part :
       {"alias.", "ssh", "pager", "editor", "command", "hooks", "helper", "external", "textconv",
        "fsmonitor", "filter", "driver", "program", "askpass", "cmd", "process", "include"}) {
    for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
      bool same = true;
      for (std::size_t j = 0; j < part.size() && same; ++j) {
        const char byte = text[i + j];
        same = (byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte) == part[j];
      }
      if (same) return true;
    }
  }
  return false;
}

// The last part of a URL without .git: where a clone goes.
Word CloneName(const Word& url) {
  std::size_t end = url.size();
  while (end > 0 && url.text()[end - 1] == '/') --end;
  if (url.text().substr(0, end).ends_with(".git")) end -= 4;
  const std::size_t from = end == 0 ? std::string::npos : url.text().find_last_of("/:", end - 1);
  const std::size_t begin = from == std::string::npos ? 0 : from + 1;
  return url.Sub(begin, end - begin);
}

bool IsLocal(const Word& place) {
  return place.text().find(':') == std::string::npos &&
         (place.text().starts_with('/') || place.text().starts_with('.') ||
          place.text().starts_with('~'));
}

Options Read(const Words& words) {
  return ReadOptions(
      words,
      "-m -F -C -c -b -B -o -n -S? -u -U -t --message --file --author --date --branch "
      "--depth --origin --reference --separate-git-dir --template --upload-pack "
      "--receive-pack --exec --pathspec-from-file --output --jobs -j --config "
      "--source --onto --strategy -X -s");
}

// "-f" has a value here and nowhere else.
Options ReadConfig(const Words& words) {
  return ReadOptions(words, "-f -F --file --blob --type --default --comment");
}

void Operands(std::string_view name, const Options& options, Interpreter& shell) {
  if (name == "clean" && options.operands.empty()) {
    shell.Use(Access::kDelete, Word("."), "git", Extent::kTree);
  }
  const bool removes = name == "rm" && !options.Has("--cached");
  for (std::size_t i = 0; i < options.operands.size(); ++i) {
    const Word& file = options.operands[i];
    const bool last = i + 1 == options.operands.size();
    if (removes) {
      shell.Use(Access::kDelete, file, "git", options.Has("-r") ? Extent::kTree : Extent::kItself);
    } else if (name == "mv") {
      shell.Use(last ? Access::kWrite : Access::kDelete, file, "git");
    } else if (name == "add" || name == "stage") {
      shell.Use(Access::kRead, file, "git", Extent::kTree);
    } else if (name == "apply" || name == "am") {
      shell.Use(Access::kRead, file, "git");
    } else if (name == "restore" || name == "clean") {
      shell.Use(name == "clean" ? Access::kDelete : Access::kWrite, file, "git", Extent::kTree);
    }
  }
}

void Remote(std::string_view name, const Options& options, Interpreter& shell) {
  for (const Word& command : options.Values("--upload-pack --receive-pack --exec")) {
    Unknown(command, "git runs it", Risk::kHigh, shell);
  }
  Word remote = options.operands.empty() ? Word() : options.operands[0];
  if (name == "submodule") remote = Word();
  if (remote.text().starts_with("ext::")) {
    Unknown(remote, "git runs it as a program", Risk::kHigh, shell);
  }
  if (!remote.empty() && IsLocal(remote)) {
    shell.Use(Access::kRead, remote, "git", Extent::kTree);
  } else {
    shell.Connect(remote, "git");
  }
}

void Discards(std::string_view name, const Options& options, Interpreter& shell) {
  const bool discards = (name == "reset" && options.Has("--hard")) ||
                        (name == "clean" && options.Has("-f --force -x -d")) ||
                        (name == "push" && options.Has("-f --force --delete --mirror")) ||
                        (name == "branch" && options.Has("-D")) ||
                        (name == "checkout" && options.Has("-f --force")) ||
                        name == "filter-branch" || name == "filter-repo";
  if (discards) {
    shell.findings().Because(Risk::kHigh, "discards-work",
                             "git " + std::string(name) + " throws work away");
  }
}

// Settings that make git run something are code, which its own files keep for later.
void Configures(const Options& options, const Word& repository, Interpreter& shell) {
  const Words files = options.Values("-f -F --file");
  for (const Word& file : files) shell.Use(Access::kWrite, file, "git");
  bool runs = options.Has("-e --edit --blob");
  for (const Word& setting : options.operands) {
    if (!RunsPrograms(setting) && setting.exact()) continue;
    Unknown(setting, "this setting names a program", Risk::kHigh, shell);
    runs = true;
  }
  if (!runs || !files.empty()) return;
  Word config = repository;
  config.Add(Word("/config"));
  if (options.Has("--global")) {
    config = Word("~", Mark::kHome);
    config.Add(Word("/.gitconfig"));
  }
  shell.Use(Access::kWrite, config, "git");
}

// Files that are read without a repository, or that a new one is made from.
void Elsewhere(const Word& name, const Options& options, Interpreter& shell) {
  if (name.Is("diff") && options.Has("--no-index")) {
    for (const Word& file : options.operands) {
      if (!file.Is("-")) shell.Use(Access::kRead, file, "git", Extent::kTree);
    }
  }
  for (const Word& folder : options.Values("--template")) {
    shell.Use(Access::kRead, folder, "git", Extent::kTree);
    Unknown(folder, "git runs the hooks it takes from there", Risk::kHigh, shell);
  }
  for (const Word& folder : options.Values("--separate-git-dir")) {
    shell.Use(Access::kWrite, folder, "git", Extent::kTree);
  }
  for (const Word& folder : options.Values("--reference")) {
    shell.Use(Access::kRead, folder, "git", Extent::kTree);
  }
}

Flow RunSubcommand(const Word& name, const Words& words, const Word& repository,
                   Interpreter& shell) {
  const Subcommand* row = name.exact() ? Find(name.text()) : nullptr;
  if (row == nullptr) {
    Unknown(name, "what this git command does is not known", Risk::kHigh, shell);
    return Flow::Unknown();
  }
  const Options options = name.Is("config") ? ReadConfig(words) : Read(words);
  const Word here(".");
  bool reads = row->touches == Touches::kReads;
  if (!words.empty() && IsOneOf(words[0].text(), row->reading)) reads = true;
  if (IsOneOf(name.text(), "branch tag remote config stash worktree") && words.empty()) {
    reads = name.text() != "stash";
  }
  if (name.Is("config") && options.operands.size() < 2 && !options.Has("--unset --add -e --edit")) {
    reads = true;
  }
  Elsewhere(name, options, shell);
  if (name.Is("clone")) {
    Remote(name.text(), options, shell);
    const Words& operands = options.operands;
    if (operands.empty()) return {};
    shell.Use(Access::kWrite, operands.size() > 1 ? operands[1] : CloneName(operands[0]), "git",
              Extent::kTree);
    return {};
  }
  if (name.Is("init")) {
    shell.Use(Access::kWrite, options.operands.empty() ? repository : options.operands[0], "git",
              Extent::kTree);
    return {};
  }
  shell.Use(Access::kRead, repository, "git", Extent::kTree);
  for (const Word& file : options.Values("--output")) shell.Use(Access::kWrite, file, "git");
  for (const Word& file : options.Values("-F --file --pathspec-from-file")) {
    shell.Use(Access::kRead, file, "git");
  }
  if (name.Is("config")) {
    for (const Word& file : options.Values("-f")) shell.Use(Access::kRead, file, "git");
  }
  if (name.Is("grep") && options.Has("-O --open-files-in-pager")) {
    Unknown(name, "it runs a pager", Risk::kHigh, shell);
  }
  if (reads || (name.Is("clean") && options.Has("-n --dry-run"))) return Flow::Unknown();
  shell.Use(Access::kWrite, repository, "git", Extent::kTree);
  if (row->touches == Touches::kTree || row->touches == Touches::kPulls) {
    if (!IsOneOf(name.text(), "rm mv restore clean")) {
      shell.Use(Access::kWrite, here, "git", Extent::kTree);
    }
  }
  if (row->touches == Touches::kFetches || row->touches == Touches::kPulls ||
      row->touches == Touches::kSends) {
    Remote(name.text(), options, shell);
  }
  if (name.Is("config")) Configures(options, repository, shell);
  if ((name.Is("rebase") && options.Has("-x --exec")) ||
      (name.Is("bisect") && !words.empty() && words[0].Is("run")) ||
      (name.Is("submodule") && !words.empty() && words[0].Is("foreach")) ||
      name.Is("filter-branch")) {
    Unknown(name, "it runs a program of its own", Risk::kHigh, shell);
  }
  Operands(name.text(), options, shell);
  Discards(name.text(), options, shell);
  return Flow::Unknown();
}

Flow Git(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix",
      Order::kOperandsEnd);
  return shell.Apart([&]() -> Flow {
    for (const Word& folder : options.Values("-C --work-tree")) {
      shell.state().directory = Joined(shell.state().directory, folder);
    }
    for (const Word& setting : options.Values("-c")) {
      if (RunsPrograms(setting) || !setting.exact()) {
        Unknown(setting, "this setting names a program", Risk::kHigh, shell);
      }
    }
    for (const Word& folder : options.Values("--exec-path")) {
      if (!folder.empty()) Unknown(folder, "git runs programs from there", Risk::kHigh, shell);
    }
    if (options.operands.empty()) return Flow::Unknown();
    const Words rest(options.operands.begin() + 1, options.operands.end());
    Word repository(".git");
    for (const Word& folder : options.Values("--git-dir")) repository = folder;
    return RunSubcommand(options.operands[0], rest, repository, shell);
  });
}

}  // namespace

std::vector<Family> GitPrograms() { return {{"git", Git}}; }

}  // namespace cordon::shell
