// Programs that change files in place, or may be told to by a script of their own.
#include <algorithm>

#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

// True for what is certainly only substitution, deletion and printing: lists of commands of
// which none is w, W, r, R or e, and no s has a flag w or e.
bool IsTameSed(std::string_view script) {
  std::size_t at = 0;
  const auto skip_to = [&](char end) {
    while (at < script.size() && script[at] != end) at += script[at] == '\\' ? 2 : 1;
    ++at;
  };
  while (at < script.size()) {
    const char byte = script[at];
    // Blanks, addresses, and commands without arguments.
    if (std::string_view(" ;\n\t,$!{}+~0123456789dDpPqQnNhHgGx=lz").find(byte) !=
        std::string_view::npos) {
      ++at;
    } else if (byte == '/') {
      ++at;
      skip_to('/');
      while (at < script.size() && (script[at] == 'I' || script[at] == 'M')) ++at;
    } else if (byte == 's' || byte == 'y') {
      if (at + 1 >= script.size()) return false;
      const char end = script[at + 1];
      if (end == '\\' || end == '\n') return false;
      at += 2;
      skip_to(end);
      if (at >= script.size()) return false;
      skip_to(end);
      while (at < script.size() &&
             std::string_view("gpiIM0123456789").find(script[at]) != std::string_view::npos) {
        ++at;
      }
      if (at < script.size() &&
          std::string_view("; \n}").find(script[at]) == std::string_view::npos) {
        return false;
      }
    } else if (byte == ':' || byte == 'b' || byte == 't' || byte == 'T') {  // labels
      at = std::min(script.find_first_of(";\n}", at), script.size());
    } else if (byte == 'a' || byte == 'i' || byte == 'c') {
      at = std::min(script.find('\n', at), script.size());  // the rest of the line is text
      if (at > 0 && at < script.size() && script[at - 1] == '\\') return false;
    } else {
      return false;
    }
  }
  return true;
}

void JudgeScript(const Word& script, bool tame, const Call& call, Interpreter& shell) {
  if (script.exact() && tame) return;
  shell.findings().DontKnow(script.text(), "this script may write files or run programs",
                            "unknown-code", Risk::kHigh);
  shell.MentionCode(script, call.name);
}

Flow Sed(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments, "-e -f -l -i? --in-place? --expression --file --line-length");
  std::size_t first = 0;
  for (const Word& script : options.Values("-e --expression")) {
    JudgeScript(script, IsTameSed(script.text()), call, shell);
  }
  for (const Word& file : options.Values("-f --file")) {
    shell.Use(Access::kRead, file, call.name);
    shell.findings().DontKnow(file.text(), "this script may write files or run programs",
                              "unknown-code", Risk::kHigh);
  }
  if (!options.Has("-e -f --expression --file") && !options.operands.empty()) {
    JudgeScript(options.operands[0], IsTameSed(options.operands[0].text()), call, shell);
    first = 1;
  }
  const bool in_place = options.Has("-i --in-place");
  for (std::size_t i = first; i < options.operands.size(); ++i) {
    shell.Use(in_place ? Access::kWrite : Access::kRead, options.operands[i], call.name);
  }
  for (const Word& suffix : options.Values("-i --in-place")) {
    if (suffix.empty()) continue;
    for (std::size_t i = first; i < options.operands.size(); ++i) {
      Word backup = options.operands[i];
      if (suffix.text().find('*') == std::string::npos) {
        backup.Add(suffix);
      } else {
        backup = Word::Unknown(suffix.text());
      }
      shell.Use(Access::kWrite, backup, call.name);
    }
  }
  return Changed(call.input);
}

Flow Awk(const Call& call, Interpreter& shell) {
  const Options options = ReadOptions(
      call.arguments, "-f -F -v -i -e -l --file --field-separator --assign --source --include",
      Order::kOperandsEnd);
  const auto tame = [](const Word& script) {
    const std::string& text = script.text();
    for (const std::string_view word : {"system", "getline", "|", ">", "@load", "@include"}) {
      if (text.find(word) != std::string::npos) return false;
    }
    return true;
  };
  std::size_t first = 0;
  for (const Word& script : options.Values("-e --source")) {
    JudgeScript(script, tame(script), call, shell);
  }
  for (const Word& file : options.Values("-f --file -i --include")) {
    if (file.Is("inplace")) continue;
    shell.Use(Access::kRead, file, call.name);
    shell.findings().DontKnow(file.text(), "this script may write files or run programs",
                              "unknown-code", Risk::kHigh);
  }
  if (!options.Has("-f -e --file --source") && !options.operands.empty()) {
    JudgeScript(options.operands[0], tame(options.operands[0]), call, shell);
    first = 1;
  }
  const std::vector<Word> included = options.Values("-i --include");
  const bool in_place = !included.empty() && included[0].Is("inplace");
  for (std::size_t i = first; i < options.operands.size(); ++i) {
    shell.Use(in_place ? Access::kWrite : Access::kRead, options.operands[i], call.name);
  }
  return Changed(call.input);
}

Flow Patch(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments,
                  "-i -o -d -p -r -F -B -b? -D -V -Y -z --input --output --directory --strip "
                  "--reject-file --fuzz");
  for (const Word& file : options.Values("-i --input")) shell.Use(Access::kRead, file, call.name);
  for (const Word& file : options.Values("-o --output -r --reject-file")) {
    shell.Use(Access::kWrite, file, call.name);
  }
  if (!options.operands.empty()) {
    shell.Use(Access::kWrite, options.operands[0], call.name);
    if (options.operands.size() > 1) shell.Use(Access::kRead, options.operands[1], call.name);
  } else {
    shell.findings().DontKnow(call.name, "the patch says which files are changed", "unknown-path",
                              Risk::kHigh);
  }
  return {};
}

// Whoever uses an editor may do anything with it.
Flow Editor(const Call& call, Interpreter& shell) {
  const bool line_editor = call.name == "ed" || call.name == "red";
  const Options options =
      ReadOptions(call.arguments, line_editor ? "-p" : "-c -S -u -s --cmd --eval -l --load");
  for (const Word& file : options.operands) {
    if (!file.text().starts_with('+')) shell.Use(Access::kWrite, file, call.name);
  }
  const bool told = options.Has("-c -S --cmd --eval --batch --load -s -es -l") ||
                    call.input.kind != Flow::Kind::kNothing;
  shell.findings().DontKnow(call.name, "an editor can change any file and run any program",
                            "unknown-code", told ? Risk::kHigh : Risk::kMedium);
  return {};
}

// Formatters and the like: they rewrite what they are given if an option says so.
Flow Rewriter(const Call& call, Interpreter& shell) {
  const Options options =
      ReadOptions(call.arguments, "--style --config -c --select --ignore --parser --line-length");
  const bool writes = options.Has("-i -w --write --fix --in-place") || call.name == "black" ||
                      call.name == "isort" || call.name == "rustfmt";
  for (const Word& file : options.operands) {
    shell.Use(
        writes ? Access::kWrite : Access::kRead, file, call.name,
        call.name == "gofmt" || call.name == "clang-format" ? Extent::kItself : Extent::kTree);
  }
  return Changed(call.input);
}

}  // namespace

std::vector<Family> EditingPrograms() {
  return {{"sed gsed", Sed},
          {"awk gawk mawk nawk", Awk},
          {"patch", Patch},
          {"vi vim nvim ex view ed red emacs nano pico micro code", Editor},
          {"clang-format gofmt black isort prettier eslint rustfmt shfmt ruff", Rewriter}};
}

}  // namespace cordon::shell
