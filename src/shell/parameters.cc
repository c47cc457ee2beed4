// ${...}: what variables stand for.
#include <charconv>

#include "shell/expander.h"

namespace cordon::shell {

std::optional<Word> Expander::Variable(std::string_view name) {
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos) {
    std::size_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number == 0 || !state_.arguments) return std::nullopt;
    return number <= state_.arguments->size() ? (*state_.arguments)[number - 1] : Word();
  }
  if (name == "*" && state_.arguments) {
    Word all;
    for (const Word& argument : *state_.arguments) {
      if (!all.empty()) all.Add(' ', Mark::kLiteral);
      all.Add(argument);
    }
    return all;
  }
  const auto found = state_.variables.find(name);
  if (found != state_.variables.end()) {
    // Split at other places than blanks, a value is anything.
    const auto separators = state_.variables.find("IFS");
    if (separators != state_.variables.end() && name != "IFS") return std::nullopt;
    return found->second;
  }
  if (name == "HOME") return Word("~", Mark::kHome);
  if (name == "PWD") {
    if (!state_.directory) return std::nullopt;
    if (state_.directory->empty()) return Word(".", Mark::kStart);
    const Mark first = state_.directory->mark(0);
    if (first == Mark::kHome || first == Mark::kStart || state_.directory->text().front() == '/') {
      return state_.directory;
    }
    Word below(".", Mark::kStart);
    below.Add('/', Mark::kLiteral);
    below.Add(*state_.directory);
    return below;
  }
  if (name == "IFS") return Word(" \t\n");
  return std::nullopt;
}

void Expander::Arithmetic(std::string_view written) {
  RunInside(written);
  const auto variables = state_.variables;
  for (const auto& [name, value] : variables) {
    if (!value || value->text().find_first_of("$`") == std::string::npos) continue;
    RunInside(value->text());
  }
}

std::optional<Word> Expander::Parameter(std::string_view inside) {
  if (inside.empty()) return std::nullopt;
  std::size_t end = NameLength(inside);
  if (end == 0) {  // ${1}, ${@}, ${!x}, ${#x}
    while (end < inside.size() && inside[end] >= '0' && inside[end] <= '9') ++end;
    if (end == 0 && inside.size() == 1) end = 1;
  }
  if (end == 0) {
    RunInside(inside);
    return std::nullopt;
  }
  const std::string_view name = inside.substr(0, end);
  if (end == inside.size()) return Variable(name);
  return ParameterWith(name, inside.substr(end));
}

std::optional<Word> Expander::ParameterWith(std::string_view name, std::string_view operation) {
  const bool colon = operation.starts_with(':');
  const std::string_view rest = operation.substr(colon ? 1 : 0);
  const char symbol = rest.empty() ? '\0' : rest.front();
  if (symbol != '-' && symbol != '=' && symbol != '+' && symbol != '?') {
    RunInside(operation);
    return std::nullopt;
  }
  const auto found = state_.variables.find(name);
  const bool assigned = found != state_.variables.end() || name == "HOME" || name == "PWD";
  std::optional<Word> value = Variable(name);
  // It may be run or not, and is told either way.
  Word other = One(rest.substr(1));
  if (!assigned || !value) {
    // Set in the environment or not: either.
    if (symbol == '=') state_.Assign(std::string(name), std::nullopt);
    return std::nullopt;
  }
  const bool counts = !colon || !value->empty();
  if (symbol == '+') return counts ? other : Word();
  if (counts) return value;
  if (symbol == '?') return std::nullopt;
  if (symbol == '=') state_.Assign(std::string(name), other);
  return other;
}

}  // namespace cordon::shell
