// Words, assignments and redirections of one command.
#include <array>
#include <utility>

#include "shell/interpreter.h"
#include "shell/mentions.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

// Variables that decide which code other programs run.
constexpr std::array<std::string_view, 24> kSteering = {
    "PATH",          "LD_PRELOAD",   "LD_LIBRARY_PATH", "LD_AUDIT",
    "BASH_ENV",      "ENV",          "PROMPT_COMMAND",  "PYTHONPATH",
    "PYTHONSTARTUP", "PERL5LIB",     "PERL5OPT",        "RUBYOPT",
    "RUBYLIB",       "NODE_OPTIONS", "NODE_PATH",       "GIT_SSH_COMMAND",
    "GIT_SSH",       "GIT_EDITOR",   "EDITOR",          "VISUAL",
    "PAGER",         "GIT_PAGER",    "BASH_FUNC",       "SHELLOPTS"};

bool IsDescriptor(const Word& target) {
  std::string_view text = target.text();
  if (!target.exact() || text.empty()) return false;
  if (text.ends_with('-')) text.remove_suffix(1);
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string WithoutTabs(std::string_view body) {
  std::string out;
  bool begins = true;
  for (const char byte : body) {
    if (begins && byte == '\t') continue;
    begins = byte == '\n';
    out += byte;
  }
  return out;
}

// "/dev/fd/63" is one of the process's own; "/dev/fd/../x" leads out of there.
bool IsDescriptor(std::string_view path) {
  constexpr std::string_view kDirectory = "/dev/fd/";
  return path.starts_with(kDirectory) && path.size() > kDirectory.size() &&
         path.find_first_not_of("0123456789", kDirectory.size()) == std::string_view::npos;
}

bool IsNoFile(std::string_view path) {
  return path == "/dev/null" || path == "/dev/stdin" || path == "/dev/stdout" ||
         path == "/dev/stderr" || path == "/dev/tty" || path == "/dev/zero" ||
         path == "/dev/random" || path == "/dev/urandom" || IsDescriptor(path);
}

}  // namespace

void Interpreter::Use(Access access, const Word& path, std::string_view by, Extent extent) {
  if (path.empty() || (path.exact() && IsNoFile(path.text()))) return;
  const Place place = PlaceOf(path, state_.directory);
  findings_.Add(FileUse{place.path, place.start, place.exactness, access, extent, std::string(by)});
  if (state_.globs_match_dots) Mention(access, WithDots(path), by, extent);
  if (place.exactness == Exactness::kExact) return;
  const bool harmless = access == Access::kRead || access == Access::kEnter;
  std::string why = place.exactness == Exactness::kPattern ? "which names it matches is not known"
                                                           : "which path it is is not known";
  findings_.DontKnow(place.path, why, "unknown-path", harmless ? Risk::kMedium : Risk::kHigh);
}

void Interpreter::Mention(Access access, const Word& path, std::string_view by, Extent extent) {
  if (path.empty() || (path.exact() && IsNoFile(path.text()))) return;
  const Place place = PlaceOf(path, state_.directory);
  findings_.Mention(
      FileUse{place.path, place.start, place.exactness, access, extent, std::string(by)});
}

void Interpreter::MentionCode(const Word& code, std::string_view by) {
  for (const Word& word : WordsOfCode(code)) Mention(Access::kRead, word, by);
}

void Interpreter::Connect(const Word& target, std::string_view by) {
  findings_.Add(NetworkUse{target.text(), target.exactness(), std::string(by)});
  if (!target.exact()) {
    findings_.DontKnow(target.text(), "which address it is is not known", "unknown-address",
                       Risk::kHigh);
  }
}

Flow Interpreter::Redirect(const Redirection& redirection, Flow input, Expander& expander,
                           Output& output) {
  const std::string_view symbol = redirection.symbol;
  const bool reads_input = redirection.descriptor.empty() || redirection.descriptor == "0";
  if (symbol == "<<" || symbol == "<<-") {
    const std::string body =
        symbol == "<<-" ? WithoutTabs(redirection.body) : std::string(redirection.body);
    Word text = redirection.quoting == BodyQuoting::kLiteral ? Word(body) : expander.Body(body);
    return reads_input ? Flow::Text(std::move(text)) : input;
  }
  const Word target = expander.One(redirection.target);
  if (symbol == "<<<") {
    Word text = target;
    text.Add('\n', Mark::kLiteral);
    return reads_input ? Flow::Text(std::move(text)) : input;
  }
  if ((symbol == ">&" || symbol == "<&") && IsDescriptor(target)) return input;
  for (const std::string_view device : {"/dev/tcp/", "/dev/udp/"}) {
    if (target.text().starts_with(device)) {
      Connect(target.Sub(device.size()), symbol);
      return reads_input && symbol.starts_with('<') ? Flow::Network() : input;
    }
  }
  const bool reads = symbol.starts_with('<');
  const bool writes = symbol != "<" && symbol != "<&";
  if (reads) Use(Access::kRead, target, symbol);
  if (writes) Use(Access::kWrite, target, symbol);
  if (reads && reads_input) return Flow::Unknown();
  if (writes && (redirection.descriptor.empty() || redirection.descriptor == "1")) {
    output = Output::kGoesToFile;
  }
  return input;
}

Flow Interpreter::RedirectAll(const std::vector<Redirection>& redirections, Flow input,
                              Output& output) {
  Expander expander(state_, substitute_);
  for (const Redirection& redirection : redirections) {
    input = Redirect(redirection, std::move(input), expander, output);
  }
  return input;
}

void Interpreter::Assign(std::string_view written, Expander& expander) {
  std::size_t value_at = 0;
  if (!IsAssignment(written, value_at)) return;
  const std::string name(written.substr(0, written.find_first_of("=[+")));
  const std::string_view value = written.substr(value_at);
  for (const std::string_view steering : kSteering) {
    if (name == steering) {
      findings_.Because(Risk::kHigh, "steers-programs",
                        name + " decides which code other programs run");
    }
  }
  if (value.starts_with('(') || written[name.size()] == '[') {
    expander.Arithmetic(written.substr(name.size()));  // the subscript may run something, too
    return state_.Assign(name, std::nullopt);
  }
  Word whole = expander.One(value);
  if (written[name.size()] == '+') {
    const auto found = state_.variables.find(name);
    if (found == state_.variables.end() || !found->second) {
      return state_.Assign(name, std::nullopt);
    }
    Word longer = *found->second;
    longer.Add(whole);
    whole = std::move(longer);
  }
  state_.Assign(name, std::move(whole));
}

Flow Interpreter::RunCommand(const Script& script, const Item& item, const Flow& input) {
  static_cast<void>(script);
  if (item.kind == ItemKind::kSimple || item.kind == ItemKind::kRedirect) {
    return RunSimple(item, input);
  }
  Expander expander(state_, substitute_);
  for (const std::string_view word : item.words) expander.Arithmetic(word);
  return {};
}

Flow Interpreter::RunSimple(const Item& item, const Flow& input) {
  Expander expander(state_, substitute_);
  std::vector<Word> words;
  std::vector<std::string_view> assignments;
  std::size_t value = 0;
  for (const std::string_view written : item.words) {
    if (words.empty() && IsAssignment(written, value)) {
      assignments.push_back(written);
      continue;
    }
    for (Word& word : expander.Words(written)) words.push_back(std::move(word));
  }
  Output output = Output::kGoesOn;
  Flow changed = input;
  for (const Redirection& redirection : item.redirections) {
    changed = Redirect(redirection, std::move(changed), expander, output);
  }
  if (words.empty()) {
    for (const std::string_view written : assignments) Assign(written, expander);
    return {};
  }
  // Assignments before a command hold for it alone, but for what it makes of its words:
  // those have been expanded already.
  const auto outer = state_.variables;
  for (const std::string_view written : assignments) Assign(written, expander);
  if (!assignments.empty()) {
    Flow flow = RunWords(words, changed);
    state_.variables = outer;
    return output == Output::kGoesOn ? flow : Flow();
  }
  Flow flow = RunWords(words, changed);
  return output == Output::kGoesOn ? flow : Flow();
}

Flow Interpreter::RunThrough(std::string_view by, const std::vector<Word>& words,
                             const Flow& input) {
  if (words.empty()) return {};
  if (through_.size() >= 16) {
    findings_.DontKnow(by, "programs start each other too deep to be followed", "too-much",
                       Risk::kHigh);
    return Flow::Unknown();
  }
  through_.emplace_back(by);
  Flow flow = RunProgram(words, input);
  through_.pop_back();
  return flow;
}

Flow Interpreter::RunWords(const std::vector<Word>& words, const Flow& input) {
  if (words.empty()) return {};
  const Word& name = words.front();
  if (name.exact()) {
    if (const auto alias = state_.aliases.find(name.text()); alias != state_.aliases.end()) {
      // Whether aliases are expanded depends on the shell: both are told.
      const Word text = alias->second;
      state_.aliases.erase(alias);
      static_cast<void>(Apart([&] { return RunAlias(text, words, input); }));
      state_.aliases[name.text()] = text;
    }
    const auto function = state_.functions.find(name.text());
    if (function != state_.functions.end()) return RunFunction(function->second, words, input);
  }
  return RunProgram(words, input);
}

Flow Interpreter::RunAlias(const Word& alias, const std::vector<Word>& words, const Flow& input) {
  std::vector<Word> longer;
  std::size_t begin = 0;
  if (alias.text().find_first_of(";|&<>()$`'\"\\\n") != std::string::npos) {
    return RunCode(alias, input, "an alias");
  }
  while (begin < alias.size()) {
    const std::size_t end = std::min(alias.text().find(' ', begin), alias.size());
    if (end > begin) longer.push_back(alias.Sub(begin, end - begin));
    begin = end + 1;
  }
  longer.insert(longer.end(), words.begin() + 1, words.end());
  return RunWords(longer, input);
}

Flow Interpreter::RunProgram(const std::vector<Word>& words, const Flow& input) {
  if (!Spend()) return Flow::Unknown();
  const Word& name = words.front();
  Program program{name.AsArgument(), {}, through_};
  for (std::size_t i = 1; i < words.size(); ++i) program.arguments.push_back(words[i].AsArgument());
  findings_.Add(std::move(program));
  if (!name.exact()) {
    findings_.DontKnow(name.text(), "which program it is is not known", "unknown-command",
                       Risk::kHigh);
    return Flow::Unknown();
  }
  Call call{name.text(), {words.begin() + 1, words.end()}, input};
  for (const Word& word : MentionedBy(call)) {
    Mention(Access::kRead, word, call.name);
    if (state_.globs_match_dots) Mention(Access::kRead, WithDots(word), call.name);
  }
  if (const std::size_t slash = call.name.rfind('/'); slash != std::string::npos) {
    Use(Access::kExecute, name, call.name);
    const std::string_view folder = std::string_view(call.name).substr(0, slash);
    const bool standard = folder == "/bin" || folder == "/usr/bin" || folder == "/sbin" ||
                          folder == "/usr/sbin" || folder == "/usr/local/bin";
    if (!standard) {
      findings_.DontKnow(call.name, "what this program does is not known", "unknown-program",
                         Risk::kMedium);
      return Changed(input);
    }
    call.name.erase(0, slash + 1);
  }
  if (const Handler handler = FindProgram(call.name)) return handler(call, *this);
  findings_.DontKnow(call.name, "what this program does is not known", "unknown-program",
                     Risk::kMedium);
  return Changed(input);
}

}  // namespace cordon::shell
