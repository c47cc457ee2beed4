// What the shell itself does.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

Flow ChangeDirectory(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "");
  State& state = shell.state();
  if (call.name == "popd" || (call.name == "pushd" && options.operands.empty())) {
    state.directory.reset();
    return {};
  }
  const bool back = !options.operands.empty() && options.operands[0].Is("-");
  const Word target = options.operands.empty() ? Word("~", Mark::kHome) : options.operands[0];
  if (back || target.text().starts_with('+')) {
    state.directory.reset();
    return {};
  }
  shell.Use(Access::kEnter, target, call.name);
  // With CDPATH a relative name may be found anywhere.
  const bool searched = state.variables.find("CDPATH") != state.variables.end();
  state.directory = searched || !target.exact() ? std::nullopt : Joined(state.directory, target);
  return {};
}

Flow Echo(const Call& call, Interpreter&) {
  Word text;
  bool newline = true;
  std::size_t first = 0;
  while (first < call.arguments.size()) {
    const Word& option = call.arguments[first];
    if (option.Is("-n")) {
      newline = false;
    } else if (option.Is("-e") || option.Is("-ne") || option.Is("-en")) {
      return Flow::Unknown();
    } else if (!option.Is("-E")) {
      break;
    }
    ++first;
  }
  for (std::size_t i = first; i < call.arguments.size(); ++i) {
    if (i > first) text.Add(' ', Mark::kLiteral);
    text.Add(call.arguments[i]);
  }
  if (newline) text.Add('\n', Mark::kLiteral);
  return Flow::Text(std::move(text));
}

// Followed where the format is text with at most some %s.
Flow Printf(const Call& call, Interpreter& shell) {
  std::size_t first = 0;
  if (call.arguments.size() > 1 && call.arguments[0].Is("-v")) {
    shell.state().Assign(call.arguments[1].text(), std::nullopt);
    return {};
  }
  if (!call.arguments.empty() && call.arguments[0].Is("--")) first = 1;
  if (first >= call.arguments.size()) return {};
  const Word& format = call.arguments[first];
  Word text;
  std::size_t next = first + 1;
  if (!format.exact()) return Flow::Unknown();
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char byte = format.text()[i];
    const char letter = i + 1 < format.size() ? format.text()[i + 1] : '\0';
    if (byte == '%' && letter == 's') {
      if (next < call.arguments.size()) text.Add(call.arguments[next++]);
      ++i;
    } else if (byte == '\\' && letter == 'n') {
      text.Add('\n', Mark::kLiteral);
      ++i;
    } else if (byte == '%' || byte == '\\') {
      return Flow::Unknown();
    } else {
      text.Add(byte, Mark::kLiteral);
    }
  }
  if (next < call.arguments.size()) return Flow::Unknown();
  return Flow::Text(std::move(text));
}

Flow Declare(const Call& call, Interpreter& shell) {
  for (const Word& argument : call.arguments) {
    const std::size_t equals = argument.text().find('=');
    if (argument.text().starts_with('-') || equals == std::string::npos) continue;
    std::string name = argument.text().substr(0, equals);
    if (name.ends_with('+')) name.pop_back();
    if (IsOneOf(name,
                "PATH LD_PRELOAD LD_LIBRARY_PATH BASH_ENV ENV PROMPT_COMMAND PYTHONPATH "
                "NODE_OPTIONS PERL5OPT RUBYOPT GIT_SSH_COMMAND")) {
      shell.findings().Because(Risk::kHigh, "steers-programs",
                               name + " decides which code other programs run");
    }
    const bool plain = argument.text()[equals - (equals > 0 ? 1 : 0)] != '+' &&
                       name.find('[') == std::string::npos &&
                       !argument.text().substr(equals + 1).starts_with('(');
    // -n and -i give the value another meaning.
    const bool odd = !call.arguments.empty() && call.arguments[0].text().starts_with('-') &&
                     call.arguments[0].text().find_first_of("niaA") != std::string::npos;
    shell.state().Assign(
        name, plain && !odd ? std::optional<Word>(argument.Sub(equals + 1)) : std::nullopt);
  }
  return {};
}

Flow Read(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-a -d -i -n -N -p -t -u -C -c -O -s");
  for (const Word& array : options.Values("-a")) {
    shell.state().Assign(array.text(), std::nullopt);
  }
  for (const Word& name : options.operands) shell.state().Assign(name.text(), std::nullopt);
  if (options.operands.empty()) shell.state().Assign("REPLY", std::nullopt);
  return {};
}

Flow Unset(const Call& call, Interpreter& shell) {
  for (const Word& name : call.arguments) {
    if (name.text().starts_with('-')) continue;
    shell.state().Assign(name.text(), std::nullopt);
    shell.state().functions.erase(name.text());
  }
  return {};
}

Flow Alias(const Call& call, Interpreter& shell) {
  for (const Word& argument : call.arguments) {
    const std::size_t equals = argument.text().find('=');
    if (equals == std::string::npos) continue;
    shell.findings().Because(Risk::kMedium, "defines-alias",
                             argument.text().substr(0, equals) + " is given another meaning");
    if (shell.state().aliases.size() < kMaxVariables) {
      shell.state().aliases[argument.text().substr(0, equals)] = argument.Sub(equals + 1);
    }
  }
  return {};
}

Flow Set(const Call& call, Interpreter& shell) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& text = call.arguments[i].text();
    if (text == "--" || !(text.starts_with('-') || text.starts_with('+'))) {
      const std::size_t first = text == "--" ? i + 1 : i;
      shell.state().arguments = std::vector<Word>(
          call.arguments.begin() + static_cast<std::ptrdiff_t>(first), call.arguments.end());
      break;
    }
  }
  return {};
}

Flow Shift(const Call& call, Interpreter& shell) {
  std::optional<std::vector<Word>>& arguments = shell.state().arguments;
  if (!call.arguments.empty() || !arguments || arguments->empty()) {
    arguments.reset();
  } else {
    arguments->erase(arguments->begin());
  }
  return {};
}

Flow Kill(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "");
  if (!options.Has("-l -L")) {
    shell.findings().Because(Risk::kMedium, "signals", call.name + " ends or stops processes");
  }
  return {};
}

Flow Exit(const Call& call, Interpreter& shell) {
  static_cast<void>(call);
  shell.state().ended = true;
  return {};
}

Flow Enable(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(call.arguments, "-f");
  for (const Word& file : options.Values("-f")) {
    shell.Use(Access::kExecute, file, call.name);
    shell.findings().DontKnow(file.text(), "it loads code into the shell", "unknown-code",
                              Risk::kHigh);
  }
  return {};
}

// shopt and the like change how the rest is read.
Flow Shopt(const Call& call, Interpreter& shell) {
  for (const Word& argument : call.arguments) {
    if (argument.Is("dotglob") || !argument.exact()) shell.state().globs_match_dots = true;
    if (argument.Is("extglob") || argument.Is("expand_aliases") || !argument.exact()) {
      shell.findings().DontKnow(argument.text(), "this option changes how the rest is read",
                                "unreadable", Risk::kMedium);
    }
  }
  return {};
}

}  // namespace

std::vector<Family> BuiltinPrograms() {
  return {{"cd chdir pushd popd", ChangeDirectory},
          {"echo", Echo},
          {"printf", Printf},
          {"export declare typeset local readonly", Declare},
          {"read mapfile readarray", Read},
          {"unset", Unset},
          {"alias", Alias},
          {"unalias", Unset},
          {"set", Set},
          {"shift", Shift},
          {"kill pkill killall", Kill},
          {"exit return logout", Exit},
          {"enable", Enable},
          {"shopt", Shopt}};
}

}  // namespace cordon::shell
