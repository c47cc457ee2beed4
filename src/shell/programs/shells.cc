// Shells, and find, which runs what its arguments say.
#include <algorithm>

#include "shell/mentions.h"
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

using Words = std::vector<Word>;

Flow RunInput(const Call& call, Interpreter& shell) {
  switch (call.input.kind) {
    case Flow::Kind::kText: return shell.RunCode(call.input.text, Flow(), call.name);
    case Flow::Kind::kNetwork:
      shell.findings().Because(Risk::kHigh, "runs-download",
                               call.name + " runs what comes from the network");
      break;
    case Flow::Kind::kNothing:
    case Flow::Kind::kUnknown: break;
  }
  shell.findings().DontKnow(call.name, "it runs commands that it reads", "unknown-code",
                            Risk::kHigh);
  return Flow::Unknown();
}

// bash <(commands): the commands have been told of, but not what they print.
Flow RunPrinted(const Call& call, Interpreter& shell) {
  shell.findings().DontKnow(call.name, "it runs what other commands print", "unknown-code",
                            Risk::kHigh);
  return Flow::Unknown();
}

Flow Shell(const Call& call, Interpreter& shell) {
  // "-c" may stand in a cluster (-lc), and its text is the first operand.
  Words arguments = call.arguments;
  for (Word& argument : arguments) {  // "+x" takes back what "-x" sets, and is read alike
    if (argument.text().starts_with('-')) continue;
    if (!argument.text().starts_with('+')) break;
    Word option("-");
    option.Add(argument.Sub(1));
    argument = std::move(option);
  }
  const Options options = ReadOptions(arguments, "-o -O --rcfile --init-file", Order::kOperandsEnd);
  for (const Word& file : options.Values("--rcfile --init-file")) {
    shell.Use(Access::kRead, file, call.name);
  }
  return shell.Apart([&]() -> Flow {
    // Another process: it has the exported variables, of which it is not known which.
    shell.state().functions.clear();
    shell.state().aliases.clear();
    for (const Word& option : options.Values("-O")) {
      if (option.Is("dotglob") || !option.exact()) shell.state().globs_match_dots = true;
    }
    const Words& operands = options.operands;
    if (options.Has("-c")) {
      if (operands.empty()) return {};
      shell.state().arguments =
          operands.size() > 2 ? Words(operands.begin() + 2, operands.end()) : Words();
      return shell.RunCode(operands[0], call.input, call.name);
    }
    if (operands.empty() || options.Has("-s")) {
      if (call.input.kind == Flow::Kind::kNothing && options.Has("--version --help")) return {};
      return RunInput(call, shell);
    }
    if (operands[0].Is("/dev/stdin") || operands[0].Is("-")) return RunInput(call, shell);
    if (operands[0].text().starts_with("/dev/fd/")) return RunPrinted(call, shell);
    shell.Use(Access::kExecute, operands[0], call.name);
    shell.findings().DontKnow(operands[0].text(),
                              "what this script does is not in the command line", "runs-file",
                              Risk::kMedium);
    return Flow::Unknown();
  });
}

Flow Eval(const Call& call, Interpreter& shell) {
  Word line;
  for (const Word& word : call.arguments) {
    if (word.Is("--") && line.empty()) continue;
    if (!line.empty()) line.Add(' ', Mark::kLiteral);
    line.Add(word);
  }
  return shell.RunCode(line, call.input, call.name);
}

Flow Source(const Call& call, Interpreter& shell) {
  if (call.arguments.empty()) return {};
  const Word& file = call.arguments[0];
  if (file.Is("/dev/stdin")) return RunInput(call, shell);
  if (file.text().starts_with("/dev/fd/")) return RunPrinted(call, shell);
  shell.Use(Access::kExecute, file, call.name);
  shell.findings().DontKnow(file.text(), "what this script does is not in the command line",
                            "runs-file", Risk::kMedium);
  // It may set anything and go anywhere.
  for (auto& [name, value] : shell.state().variables) value.reset();
  shell.state().directory.reset();
  return Flow::Unknown();
}

Flow Trap(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "");
  if (options.operands.size() < 2 || options.operands[0].Is("-")) return {};
  return shell.Apart([&] { return shell.RunCode(options.operands[0], Flow(), call.name); });
}

class Find {
 public:
  Find(const Call& call, Interpreter& shell) : call_(call), shell_(shell) {}

  Flow Run() {
    const Words& words = call_.arguments;
    std::size_t at = 0;
    while (at < words.size() && (words[at].Is("-H") || words[at].Is("-L") || words[at].Is("-P") ||
                                 words[at].text().starts_with("-O"))) {
      ++at;
    }
    while (at < words.size() && !IsExpression(words[at])) places_.push_back(words[at++]);
    if (places_.empty()) places_.emplace_back(".");
    for (const Word& place : places_) shell_.Use(Access::kRead, place, "find", Extent::kTree);
    ReadNames(at);
    for (; at < words.size(); ++at) {
      const std::string& text = words[at].text();
      if (text == "-exec" || text == "-execdir" || text == "-ok" || text == "-okdir") {
        at = Execute(at + 1, text.ends_with("dir") ? From::kWhereFound : From::kHere);
      } else if (text == "-delete") {
        for (const Word& place : places_) {
          shell_.Use(Access::kDelete, place, "find", Extent::kTree);
        }
      } else if (IsOneOf(text, "-fprint -fls -fprint0 -fprintf") && at + 1 < words.size()) {
        shell_.Use(Access::kWrite, words[at + 1], "find");
        ++at;
      } else if (IsOneOf(text, "-newer -samefile -files0-from") && at + 1 < words.size()) {
        shell_.Use(Access::kRead, words[++at], "find");
      } else if (words[at].exactness() == Exactness::kUnknown && text.starts_with("$")) {
        shell_.findings().DontKnow(text, "it may tell find to run or delete", "unknown-code",
                                   Risk::kHigh);
      }
    }
    return Listed();
  }

 private:
  static bool IsExpression(const Word& word) {
    const std::string& text = word.text();
    return !text.empty() && word.mark(0) == Mark::kLiteral &&
           (text[0] == '-' || text == "(" || text == "!" || text == ",");
  }

  // The names that what is found must have, if the expression says so.
  void ReadNames(std::size_t at) {
    const Words& words = call_.arguments;
    bool other = false;  // something else may be found as well
    for (bool negated = false; at < words.size(); ++at) {
      const std::string& text = words[at].text();
      if (text == "-o" || text == "-or" || text == ",") other = true;
      if (IsOneOf(text, "-name -iname -path -ipath -wholename -iwholename") &&
          at + 1 < words.size()) {
        ++at;
        if (!negated) names_.push_back(AsPattern(words[at]));
      }
      negated = text == "!" || text == "-not";
    }
    if (names_.empty() || other) names_.emplace_back();
  }

  // find matches it itself; of a path the last name counts.
  static Word AsPattern(const Word& written) {
    Word pattern;
    const std::size_t slash = written.text().rfind('/');
    for (std::size_t i = slash == std::string::npos ? 0 : slash + 1; i < written.size(); ++i) {
      const char byte = written.text()[i];
      const bool wild = byte == '*' || byte == '?' || byte == '[';
      pattern.Add(byte, wild && written.mark(i) == Mark::kLiteral ? Mark::kGlob : written.mark(i));
    }
    return pattern;
  }

  // What is found is below the places; an empty name is any.
  Word Found(const Word& place, const Word& name) const {
    Word found = place;
    if (found.text().back() != '/') found.Add('/', Mark::kLiteral);
    found.Add(Word("**", Mark::kGlob));
    if (name.empty()) return found;
    found.Add('/', Mark::kLiteral);
    found.Add(name);
    return found;
  }

  std::vector<Word> AllFound() const {
    std::vector<Word> all;
    for (const Word& place : places_) {
      for (const Word& name : names_) {
        all.push_back(Found(place, name));
        Word dotted = WithDots(all.back());
        if (dotted != all.back()) all.push_back(std::move(dotted));
      }
    }
    return all;
  }

  // What it prints, if the names are known.
  Flow Listed() const {
    const bool known =
        std::none_of(names_.begin(), names_.end(), [](const Word& name) { return name.empty(); });
    const bool prints =
        std::none_of(call_.arguments.begin(), call_.arguments.end(), [](const Word& word) {
          return IsOneOf(word.text(), "-printf -ls -exec -execdir -ok -okdir -delete -quit");
        });
    if (!known || !prints) return Flow::Unknown();
    Word lines;
    for (const Word& found : AllFound()) {
      lines.Add(found);
      lines.Add('\n', Mark::kLiteral);
    }
    return Flow::Text(std::move(lines));
  }

  enum class From { kHere, kWhereFound };

  std::size_t Execute(std::size_t at, From from_where) {
    const std::vector<Word> all = AllFound();
    if (all.size() > kMostFound) {
      shell_.findings().DontKnow("find", "it finds too much to be followed", "too-much",
                                 Risk::kHigh);
    }
    std::size_t end = at;
    for (std::size_t i = 0; i < std::min(all.size(), kMostFound); ++i) {
      end = ExecuteFor(all[i], at, from_where);
    }
    return end;
  }

  std::size_t ExecuteFor(const Word& found, std::size_t at, From from_where) {
    Words command;
    const Words& words = call_.arguments;
    for (; at < words.size() && words[at].text() != ";"; ++at) {
      if (words[at].text() == "+" && !command.empty() && at > 0 && words[at - 1].Is("{}")) break;
      Word made;
      std::size_t from = 0;
      for (std::size_t mark = words[at].text().find("{}"); mark != std::string::npos;
           mark = words[at].text().find("{}", from)) {
        made.Add(words[at].Sub(from, mark - from));
        made.Add(found);
        from = mark + 2;
      }
      made.Add(words[at].Sub(from));
      command.push_back(std::move(made));
    }
    static_cast<void>(shell_.Apart([&] {
      if (from_where == From::kWhereFound) shell_.state().directory.reset();
      return shell_.RunThrough("find", command, Flow::Unknown());
    }));
    return at;
  }

  static constexpr std::size_t kMostFound = 64;

  const Call& call_;
  Interpreter& shell_;
  Words places_;
  Words names_;
};

Flow RunFind(const Call& call, Interpreter& shell) { return Find(call, shell).Run(); }

// fd finds names and may run something for each.
Flow Fd(const Call& call, Interpreter& shell) {
  Words before;
  Words command;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (IsOneOf(call.arguments[i].text(), "-x -X --exec --exec-batch")) {
      command.assign(call.arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     call.arguments.end());
      command.push_back(Word::Unknown("{}"));
      break;
    }
    before.push_back(call.arguments[i]);
  }
  const Options options = ReadOptions(before, "-e -t -E -d -c -S --type --extension --exclude");
  for (std::size_t i = 1; i < options.operands.size(); ++i) {
    shell.Use(Access::kRead, options.operands[i], call.name, Extent::kTree);
  }
  if (options.operands.size() < 2) shell.Use(Access::kRead, Word("."), call.name, Extent::kTree);
  if (command.size() > 1) {
    static_cast<void>(
        shell.Apart([&] { return shell.RunThrough(call.name, command, Flow::Unknown()); }));
  }
  return Flow::Unknown();
}

}  // namespace

std::vector<Family> ShellPrograms() {
  return {{"sh bash dash ash zsh ksh mksh fish rbash", Shell},
          {"eval", Eval},
          {"source .", Source},
          {"trap", Trap},
          {"find gfind", RunFind},
          {"fd fdfind", Fd}};
}

}  // namespace cordon::shell
