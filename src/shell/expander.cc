#include "shell/expander.h"

#include <algorithm>
#include <utility>

namespace cordon::shell {
namespace {

constexpr int kMaxExpansion = 40;
constexpr std::size_t kMaxFields = 4096;
constexpr std::string_view kProcessFile = "/dev/fd/63";  // what <( ) stands for

bool IsGlob(char byte) { return byte == '*' || byte == '?' || byte == '['; }

}  // namespace

struct Expander::Fields {
  std::vector<Word> done;
  Word current;
  bool begun = false;  // the current one exists, even if it is empty

  void Add(char byte, Mark mark) {
    if (current.size() < kMaxWordBytes) {
      current.Add(byte, mark);
    } else if (current.size() == kMaxWordBytes) {
      current.Add('?', Mark::kUnknown);
    }
    begun = true;
  }
  void Add(const Word& word) {
    if (current.size() + word.size() <= kMaxWordBytes) {
      current.Add(word);
    } else {
      Add('?', Mark::kUnknown);
    }
    begun = true;
  }
  void End() {
    current.CloseBrackets();
    if (begun && done.size() < kMaxFields) done.push_back(std::move(current));
    current = Word();
    begun = false;
  }
};

std::vector<Word> Expander::Words(std::string_view written) {
  const std::optional<std::vector<std::string>> words = ExpandBraces(written);
  if (!words) {
    RunInside(written);
    return {Word::Unknown(written)};
  }
  Fields fields;
  for (const std::string& word : *words) {
    Expand(word, Quotes::kNone, Splitting::kYes, fields);
    fields.End();
  }
  return std::move(fields.done);
}

Word Expander::One(std::string_view written) {
  Fields fields;
  Expand(written, Quotes::kNone, Splitting::kNo, fields);
  fields.current.CloseBrackets();
  return std::move(fields.current);
}

Word Expander::Body(std::string_view written) {
  Fields fields;
  Expand(written, Quotes::kBody, Splitting::kNo, fields);
  return std::move(fields.current);
}

void Expander::RunInside(std::string_view text) { static_cast<void>(Body(text)); }

void Expander::AddTilde(std::string_view text, std::size_t& at, Fields& fields) {
  const std::size_t end = std::min(text.find_first_of("/:", at), text.size());
  const std::string_view prefix = text.substr(at, end - at);
  if (prefix.find_first_of("\\'\"$`") != std::string_view::npos) {
    fields.Add('~', Mark::kLiteral);  // quoted: no tilde prefix
    ++at;
    return;
  }
  if (prefix == "~") {
    fields.Add(Variable("HOME").value_or(Word::Unknown("~")));
  } else if (prefix == "~+") {
    fields.Add(Variable("PWD").value_or(Word::Unknown("~+")));
  } else {
    fields.Add(Word::Unknown(prefix));
  }
  at = end;
}

void Expander::Expand(std::string_view text, Quotes quotes, Splitting splitting, Fields& fields) {
  if (++depth_ > kMaxExpansion) {
    fields.Add(Word::Unknown(text));
    --depth_;
    return;
  }
  std::size_t value = 0;
  // bash looks for a tilde also after the "=" of what looks like an assignment.
  const bool assignment = quotes == Quotes::kNone && IsAssignment(text, value);
  for (std::size_t at = 0; at < text.size();) {
    const char byte = text[at];
    if (byte == '~' && quotes == Quotes::kNone &&
        (at == 0 || (assignment && (at == value || (at > value && text[at - 1] == ':'))))) {
      AddTilde(text, at, fields);
    } else if (byte == '\\') {
      const char next = at + 1 < text.size() ? text[at + 1] : '\0';
      const bool special = next == '$' || next == '`' || next == '\\' || next == '\n' ||
                           (next == '"' && quotes == Quotes::kDouble);
      if (quotes != Quotes::kNone && !special) fields.Add('\\', Mark::kLiteral);
      if (at + 1 < text.size() && next != '\n') fields.Add(next, Mark::kLiteral);
      if (at + 1 == text.size() && quotes == Quotes::kNone) fields.Add('\\', Mark::kLiteral);
      at += 2;
    } else if (byte == '$' || byte == '`') {
      at = ExpandDollar(text, at, quotes, splitting, fields);
    } else if (quotes == Quotes::kNone) {
      at = ExpandQuoted(text, at, splitting, fields);
    } else {
      fields.Add(byte, Mark::kLiteral);
      ++at;
    }
  }
  --depth_;
}

// One byte, or what quotes or a process substitution hold.
std::size_t Expander::ExpandQuoted(std::string_view text, std::size_t at, Splitting splitting,
                                   Fields& fields) {
  Lexer lexer(text);
  const char byte = text[at];
  if (byte == '\'') {
    const std::size_t end = lexer.EndOfSingleQuotes(at + 1).value_or(text.size() + 1);
    fields.Add(Word(text.substr(at + 1, end - at - 2)));
    return end;
  }
  if (byte == '"') {
    const std::size_t end = lexer.EndOfDoubleQuotes(at + 1).value_or(text.size() + 1);
    const std::string_view inside = text.substr(at + 1, end - at - 2);
    // "$@" of no arguments is no word at all, every other quote is at least an empty one.
    if (inside != "$@") fields.begun = true;
    Expand(inside, Quotes::kDouble, splitting, fields);
    return end;
  }
  if ((byte == '<' || byte == '>') && at + 1 < text.size() && text[at + 1] == '(') {
    const std::size_t end = lexer.EndOfCommands(at + 2).value_or(text.size() + 1);
    static_cast<void>(run_(text.substr(at + 2, end - at - 3)));
    fields.Add(Word(kProcessFile));
    return end;
  }
  fields.Add(byte, IsGlob(byte) ? Mark::kGlob : Mark::kLiteral);
  return at + 1;
}

std::size_t Expander::ExpandDollar(std::string_view text, std::size_t at, Quotes quotes,
                                   Splitting splitting, Fields& fields) {
  Lexer lexer(text);
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  const bool quote = text[at] == '$' && (next == '\'' || next == '"');
  if (quote && quotes != Quotes::kNone) {
    fields.Add('$', Mark::kLiteral);
    return at + 1;
  }
  const std::size_t end = std::min(lexer.EndOfExpansion(at).value_or(text.size()), text.size());
  const std::string_view whole = text.substr(at, end - at);
  if (text[at] == '`') {
    const Around around = quotes == Quotes::kDouble ? Around::kDoubleQuotes : Around::kNothing;
    const std::size_t inside = whole.size() < 2 ? 0 : whole.size() - 2;
    const std::string commands = DecodeBackquotes(whole.substr(1, inside), around);
    AddValue(run_(commands), whole, quotes, splitting, fields);
    return end;
  }
  if (whole.starts_with("$'")) {
    fields.Add(Word(DecodeAnsiQuotes(whole.substr(2, whole.size() - 3))));
    return end;
  }
  if (whole.starts_with("$\"")) {
    fields.begun = true;
    Expand(whole.substr(2, whole.size() - 3), Quotes::kDouble, splitting, fields);
    return end;
  }
  if (whole.starts_with("$((") && lexer.EndOfArithmetic(at + 3) == end) {
    Arithmetic(whole.substr(3, whole.size() - 5));
    fields.Add(Word::Unknown(whole));
    return end;
  }
  if (whole.starts_with("$(")) {
    AddValue(run_(whole.substr(2, whole.size() - 3)), whole, quotes, splitting, fields);
    return end;
  }
  if (whole.starts_with("$[")) {
    Arithmetic(whole.substr(2, whole.size() - 3));
    fields.Add(Word::Unknown(whole));
    return end;
  }
  if (whole.starts_with("${")) {
    const std::string_view inside = whole.substr(2, whole.size() - 3);
    AddValue(Parameter(inside), whole, quotes, splitting, fields);
    return end;
  }
  // $name, $1, $@, or a dollar sign.
  std::size_t stop = at + 1;
  stop += NameLength(text.substr(stop));
  if (stop == at + 1 && stop < text.size() &&
      std::string_view("@*#?-$!0123456789").find(text[stop]) != std::string_view::npos) {
    ++stop;
  }
  if (stop == at + 1) {
    fields.Add('$', Mark::kLiteral);
    return stop;
  }
  const std::string_view name = text.substr(at + 1, stop - at - 1);
  if (name == "@" && state_.arguments && splitting == Splitting::kYes) {
    bool first = true;
    for (const Word& argument : *state_.arguments) {
      if (!std::exchange(first, false)) fields.End();
      AddValue(argument, "$@", quotes, splitting, fields);
    }
    return stop;
  }
  AddValue(Variable(name), text.substr(at, stop - at), quotes, splitting, fields);
  return stop;
}

void Expander::AddValue(const std::optional<Word>& value, std::string_view written, Quotes quotes,
                        Splitting splitting, Fields& fields) {
  if (!value) {
    fields.Add(Word::Unknown(written));
    return;
  }
  if (quotes != Quotes::kNone || splitting == Splitting::kNo) {
    fields.Add(*value);
    return;
  }
  for (std::size_t i = 0; i < value->size(); ++i) {
    const char byte = value->text()[i];
    const bool literal = value->mark(i) == Mark::kLiteral;
    if (literal && (byte == ' ' || byte == '\t' || byte == '\n')) {
      fields.End();
    } else {
      fields.Add(byte, literal && IsGlob(byte) ? Mark::kGlob : value->mark(i));
    }
  }
}

}  // namespace cordon::shell
