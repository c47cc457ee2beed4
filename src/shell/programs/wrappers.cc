// Programs whose work is to start another.
#include <algorithm>

#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

using Words = std::vector<Word>;

Words From(const Words& words, std::size_t first) {
  return first < words.size()
             ? Words(words.begin() + static_cast<std::ptrdiff_t>(first), words.end())
             : Words();
}

// What is run apart from the shell leaves its variables and directory alone.
Flow Start(const Call& call, const Words& words, Interpreter& shell, const Flow& input) {
  return shell.Apart([&] { return shell.RunThrough(call.name, words, input); });
}

struct Wrapper {
  std::string_view names;
  std::string_view valued;
  std::size_t skip = 0;  // operands before the command: the 5 of "timeout 5 ls"
};

constexpr Wrapper kWrappers[] = {
    {"nohup setsid busybox toybox catchsegv unbuffer fakeroot caffeinate", ""},
    {"nice", "-n --adjustment"},
    {"ionice", "-c -n -p --class --classdata"},
    {"timeout gtimeout", "-s -k --signal --kill-after", 1},
    {"stdbuf", "-i -o -e --input --output --error"},
    {"time", "-f -o --format --output"},
    {"chrt", "-T -P -D", 1},
    {"taskset", "", 1},
    {"strace ltrace", "-e -o -p -s -u -a -E -I -P -S -b"},
    {"watch", "-n -d? --interval"},
    {"unshare", "-S -G -R -w --root --wd --setuid --setgid"},
    {"nsenter", "-t -S -G --target"},
    {"systemd-run", "-u -p -E --unit --property --uid --gid --setenv"},
    {"firejail bwrap", ""},
    {"builtin command", ""},
    {"exec", "-a"},
    {"faketime", "-f", 1},
    {"dbus-run-session", ""},
    {"xvfb-run", "-n -s -e -f --server-args --server-num"},
    {"setarch", "", 1},
    {"linux32 linux64 i386 x86_64", ""},
};

const Wrapper& WrapperNamed(std::string_view name) {
  return *std::find_if(std::begin(kWrappers), std::end(kWrappers),
                       [&](const Wrapper& row) { return IsOneOf(name, row.names); });
}

Flow RunWrapper(const Call& call, Interpreter& shell) {
  const Wrapper& row = WrapperNamed(call.name);
  const Options options = ReadOptions(call.arguments, row.valued, Order::kOperandsEnd);
  if (call.name == "command" && options.Has("-v -V")) return Flow::Unknown();
  if (IsOneOf(call.name, "time strace ltrace")) {
    for (const Word& file : options.Values("-o --output")) {
      shell.Use(Access::kWrite, file, call.name);
    }
  }
  if (call.name == "watch") {  // joins its words and hands them to a shell
    Word line;
    for (const Word& word : options.operands) {
      if (!line.empty()) line.Add(' ', Mark::kLiteral);
      line.Add(word);
    }
    return shell.Apart([&] { return shell.RunCode(line, call.input, call.name); });
  }
  const Words words = From(options.operands, row.skip);
  // These two run in the shell itself.
  if (call.name == "builtin" || call.name == "command") {
    return shell.RunThrough(call.name, words, call.input);
  }
  return Start(call, words, shell, call.input);
}

Flow Env(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments, "-u -C -S --unset --chdir --split-string --block-signal?",
                  Order::kOperandsEnd);
  std::size_t first = 0;
  if (!options.operands.empty() && options.operands[0].Is("-")) first = 1;  // as -i
  while (first < options.operands.size()) {
    const Word& word = options.operands[first];
    const std::size_t equals = word.text().find('=');
    if (equals == std::string::npos) break;
    if (IsOneOf(word.text().substr(0, equals), "GLOBIGNORE BASHOPTS")) {
      shell.state().globs_match_dots = true;
    }
    if (IsOneOf(word.text().substr(0, equals),
                "PATH LD_PRELOAD LD_LIBRARY_PATH BASH_ENV ENV "
                "PYTHONPATH NODE_OPTIONS PERL5OPT RUBYOPT "
                "GIT_SSH_COMMAND")) {
      shell.findings().Because(
          Risk::kHigh, "steers-programs",
          word.text().substr(0, equals) + " decides which code other programs run");
    }
    ++first;
  }
  return shell.Apart([&] {
    for (const Word& folder : options.Values("-C --chdir")) {
      shell.Use(Access::kEnter, folder, call.name);
      shell.state().directory = Joined(shell.state().directory, folder);
    }
    // -S holds words that env itself splits, nearly as a shell does.
    for (const Word& line : options.Values("-S --split-string")) {
      Word whole = line;
      for (const Word& more : From(options.operands, first)) {
        whole.Add(' ', Mark::kLiteral);
        whole.Add(more);
      }
      return shell.RunCode(whole, call.input, call.name);
    }
    return shell.RunThrough(call.name, From(options.operands, first), call.input);
  });
}

Flow Sudo(const Call& call, Interpreter& shell) {
  shell.findings().Because(Risk::kHigh, "other-user", call.name + " acts as another user");
  const Options options = ReadOptions(
      call.arguments, "-u -g -h -p -C -D -R -T -U -r -t --user --group --chdir --chroot --prompt",
      Order::kOperandsEnd);
  std::size_t first = 0;
  while (first < options.operands.size() &&
         options.operands[first].text().find('=') != std::string::npos) {
    ++first;
  }
  if (options.Has("-e --edit") || call.name == "sudoedit") {
    for (const Word& file : options.operands) shell.Use(Access::kWrite, file, call.name);
    return {};
  }
  return shell.Apart([&] {
    for (const Word& folder : options.Values("-D --chdir")) {
      shell.state().directory = Joined(shell.state().directory, folder);
    }
    return shell.RunThrough(call.name, From(options.operands, first), call.input);
  });
}

// su -c CODE, runuser, script -c, flock FILE -c CODE, chroot DIR COMMAND.
Flow Su(const Call& call, Interpreter& shell) {
  shell.findings().Because(Risk::kHigh, "other-user", call.name + " acts as another user");
  const Options options =
      ReadOptions(call.arguments, "-c -s -u -g -G -w --command --shell --user --group");
  for (const Word& code : options.Values("-c --command")) {
    static_cast<void>(shell.Apart([&] { return shell.RunCode(code, call.input, call.name); }));
  }
  if (options.Has("-u --user")) return Start(call, options.operands, shell, call.input);
  return Flow::Unknown();
}

Flow Flock(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments, "-w -E --timeout --conflict-exit-code", Order::kOperandsEnd);
  if (options.operands.empty()) return {};
  shell.Use(Access::kWrite, options.operands[0], call.name);
  const Words words = From(options.operands, 1);
  if (words.size() > 1 && (words[0].Is("-c") || words[0].Is("--command"))) {
    return shell.Apart([&] { return shell.RunCode(words[1], call.input, call.name); });
  }
  return Start(call, words, shell, call.input);
}

Flow ScriptCommand(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-c -o -I -O -B -T --command --log-out --log-in --log-io --log-timing");
  for (const Word& file : options.Values("-I -O -B -T --log-out --log-in --log-io --log-timing")) {
    shell.Use(Access::kWrite, file, call.name);
  }
  for (const Word& file : options.operands) shell.Use(Access::kWrite, file, call.name);
  if (options.operands.empty()) shell.Use(Access::kWrite, Word("typescript"), call.name);
  for (const Word& code : options.Values("-c --command")) {
    static_cast<void>(shell.Apart([&] { return shell.RunCode(code, call.input, call.name); }));
  }
  return Flow::Unknown();
}

Flow Chroot(const Call& call, Interpreter& shell) {
  shell.findings().Because(Risk::kHigh, "other-root", "chroot changes what every path means");
  const Options options = ReadOptions(call.arguments, "--userspec --groups", Order::kOperandsEnd);
  if (options.operands.empty()) return {};
  shell.Use(Access::kEnter, options.operands[0], call.name);
  return shell.Apart([&] {
    shell.state().directory.reset();
    return shell.RunThrough(call.name, From(options.operands, 1), call.input);
  });
}

Flow Xargs(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments,
                  "-a -d -E -I -L -n -P -s -i? -l? -e? --arg-file --delimiter --max-args "
                  "--max-lines? --max-procs --max-chars --replace?",
                  Order::kOperandsEnd);
  for (const Word& file : options.Values("-a --arg-file"))
    shell.Use(Access::kRead, file, call.name);
  Words words = options.operands;
  if (words.empty()) words.emplace_back("echo");
  Words items;
  const bool plain = !options.Has("-0 --null -d --delimiter -a --arg-file");
  if (call.input.kind == Flow::Kind::kText && call.input.text.exact() && plain &&
      call.input.text.text().find_first_of("'\"\\") == std::string::npos) {
    const Word& text = call.input.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.text().find_first_of(" \t\n", begin), text.size());
      if (end > begin) items.push_back(text.Sub(begin, end - begin));
      begin = end + 1;
    }
  } else if (call.input.kind == Flow::Kind::kText &&
             call.input.text.exactness() == Exactness::kPattern) {
    // Names that find prints, each in a line.
    const Word& text = call.input.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.text().find('\n', begin), text.size());
      if (end > begin) items.push_back(text.Sub(begin, end - begin));
      begin = end + 1;
    }
  } else {
    items.push_back(Word::Unknown("(from the input of xargs)"));
  }
  Word mark("{}");
  for (const Word& given : options.Values("-I --replace")) {
    if (!given.empty()) mark = given;
  }
  if (!options.Has("-I -i --replace")) {
    words.insert(words.end(), items.begin(), items.end());
    return Start(call, words, shell, Flow());
  }
  for (const Word& item : items) {
    Words replaced;
    for (const Word& word : words) {
      Word made;
      std::size_t at = 0;
      for (std::size_t found = word.text().find(mark.text()); found != std::string::npos;
           found = word.text().find(mark.text(), at)) {
        made.Add(word.Sub(at, found - at));
        made.Add(item);
        at = found + mark.size();
      }
      made.Add(word.Sub(at));
      replaced.push_back(std::move(made));
    }
    static_cast<void>(Start(call, replaced, shell, Flow()));
  }
  return Flow::Unknown();
}

Flow Parallel(const Call& call, Interpreter& shell) {
  shell.findings().DontKnow(call.name, "it makes commands from what it reads", "unknown-code",
                            Risk::kHigh);
  return Flow::Unknown();
}

}  // namespace

std::vector<Family> WrapperPrograms() {
  std::vector<Family> families = {{"env", Env},
                                  {"sudo doas sudoedit pkexec", Sudo},
                                  {"su runuser", Su},
                                  {"flock", Flock},
                                  {"script", ScriptCommand},
                                  {"chroot", Chroot},
                                  {"xargs", Xargs},
                                  {"parallel", Parallel}};
  for (const Wrapper& row : kWrappers) families.push_back({row.names, RunWrapper});
  return families;
}

}  // namespace cordon::shell
