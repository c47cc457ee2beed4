#include "shell/state.h"

namespace cordon::shell {
namespace {

bool IsAnchored(const Word& path) {
  if (path.empty()) return false;
  const Mark first = path.mark(0);
  return first == Mark::kHome || first == Mark::kStart || path.text().front() == '/';
}

}  // namespace

void State::Assign(const std::string& name, std::optional<Word> value) {
  if (value && value->size() > kMaxWordBytes) value.reset();
  if (name == "GLOBIGNORE" || name == "BASHOPTS") globs_match_dots = true;
  if (variables.size() >= kMaxVariables && variables.find(name) == variables.end()) return;
  variables[name] = std::move(value);
}

void State::MergeFrom(const State& other) {
  if (other.ended) return;
  if (ended) {
    *this = other;
    return;
  }
  for (auto& [name, value] : variables) {
    const auto found = other.variables.find(name);
    if (found == other.variables.end() || found->second != value) value.reset();
  }
  for (const auto& [name, value] : other.variables) {
    if (variables.find(name) == variables.end()) Assign(name, std::nullopt);
  }
  globs_match_dots = globs_match_dots || other.globs_match_dots;
  // What may be defined is taken to be: its body is told of rather than not.
  functions.insert(other.functions.begin(), other.functions.end());
  aliases.insert(other.aliases.begin(), other.aliases.end());
  if (arguments != other.arguments) arguments.reset();
  if (directory != other.directory) directory.reset();
}

std::optional<Word> Joined(const std::optional<Word>& directory, const Word& path) {
  if (path.empty()) return directory;
  if (path.mark(0) == Mark::kUnknown) return std::nullopt;
  if (IsAnchored(path)) return path;
  if (!directory) return std::nullopt;
  if (directory->empty()) return path;
  Word joined = *directory;
  if (joined.text().back() != '/') joined.Add('/', Mark::kLiteral);
  joined.Add(path);
  if (joined.size() > kMaxWordBytes) return std::nullopt;
  return joined;
}

Place PlaceOf(const Word& path, const std::optional<Word>& directory) {
  const std::optional<Word> whole = Joined(directory, path);
  if (!whole) return {path.text(), Start::kUnknown, Exactness::kUnknown};
  Place place{whole->text(), Start::kWorkingDirectory, whole->exactness()};
  if (whole->empty()) return place;
  if (whole->mark(0) == Mark::kHome) place.start = Start::kHome;
  if (whole->text().front() == '/') place.start = Start::kRoot;
  if (whole->mark(0) == Mark::kUnknown) place.start = Start::kUnknown;
  return place;
}

}  // namespace cordon::shell
