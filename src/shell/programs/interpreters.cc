// Programs that run code of other languages, which is not read here.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

struct Language {
  std::string_view names;
  std::string_view code;    // options whose value is code
  std::string_view valued;  // other options with a value
  std::string_view module;  // options whose value is the name of code that is found somewhere
};

constexpr Language kLanguages[] = {
    {"python python2 python3 pypy pypy3", "-c", "-W -X -Q", "-m"},
    {"perl", "-e -E", "-I -i? -F", "-M -m"},
    {"ruby", "-e", "-I -C -i? -E -F", "-r"},
    {"node nodejs bun", "-e -p --eval --print", "--max-old-space-size", "-r --require --import"},
    {"deno tsx ts-node", "-e --eval", "", ""},
    {"php", "-r -R -B -E", "-c -d -z", ""},
    {"lua luajit", "-e", "", "-l"},
    {"Rscript R", "-e", "", ""},
    {"osascript", "-e", "-l", ""},
    {"tclsh expect", "-c", "", ""},
    {"ghci runghc julia elixir erl scala groovy", "-e --eval -eval -E", "", ""},
    {"java", "", "-cp -classpath --class-path -jar", ""},
    {"gdb lldb", "-ex -x -c --eval-command --command -o", "-p", ""},
    {"sqlite3 mysql psql", "-c --command -cmd -e --execute", "-h -U -d -p? -P -u --host --user",
     ""},
};

const Language& LanguageNamed(std::string_view name) {
  const Language* row = kLanguages;
  while (!IsOneOf(name, row->names)) ++row;
  return *row;
}

Flow RunLanguage(const Call& call, Interpreter& shell) {
  const Language& row = LanguageNamed(call.name);
  std::string valued;
  for (const std::string_view part : {row.code, row.valued, row.module}) {
    valued += part;
    valued += ' ';
  }
  const Options options = ReadOptions(call.arguments, valued, Order::kOperandsEnd);
  if (options.Has("--version --help -V") && options.operands.empty()) return {};
  Findings& findings = shell.findings();
  const std::vector<Word> codes = options.Values(row.code);
  for (const Word& code : codes) {
    findings.DontKnow(code.text(), "what this code does is not read here", "foreign-code",
                      Risk::kHigh);
    shell.MentionCode(code, call.name);
  }
  for (const Word& name : options.Values(row.module)) {
    findings.DontKnow(name.text(), "what this code does is not in the command line", "runs-file",
                      Risk::kMedium);
  }
  const bool in_place = IsOneOf(call.name, "perl ruby") && options.Has("-i");
  std::size_t first = 0;
  if (codes.empty() && options.Values(row.module).empty()) {
    if (options.operands.empty() || options.operands[0].Is("-")) {
      if (call.input.kind == Flow::Kind::kNetwork) {
        findings.Because(Risk::kHigh, "runs-download",
                         call.name + " runs what comes from the network");
      }
      findings.DontKnow(call.name, "it runs code that it reads", "foreign-code", Risk::kHigh);
      return Flow::Unknown();
    }
    if (options.operands[0].text().starts_with("/dev/")) {
      findings.DontKnow(call.name, "it runs code that it reads", "foreign-code", Risk::kHigh);
      return Flow::Unknown();
    }
    shell.Use(Access::kExecute, options.operands[0], call.name);
    findings.DontKnow(options.operands[0].text(), "what this code does is not in the command line",
                      "runs-file", Risk::kMedium);
    first = 1;
  }
  for (std::size_t i = first; i < options.operands.size() && in_place; ++i) {
    shell.Use(Access::kWrite, options.operands[i], call.name);
    for (const Word& suffix : options.Values("-i")) {
      Word backup = options.operands[i];
      backup.Add(suffix);
      shell.Use(Access::kWrite, backup, call.name);
    }
  }
  return Flow::Unknown();
}

}  // namespace

std::vector<Family> InterpreterPrograms() {
  std::vector<Family> families;
  for (const Language& row : kLanguages) families.push_back({row.names, RunLanguage});
  return families;
}

}  // namespace cordon::shell
