// What a shell knows between two commands.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shell/syntax.h"
#include "shell/word.h"

namespace cordon::shell {

struct Function {
  std::shared_ptr<const Script> script;  // keeps what `body` refers to
  const Node* body = nullptr;
};

inline constexpr std::size_t kMaxVariables = 512;

struct State {
  // Nothing as value: assigned, but to what is not known. Names that are not there come
  // from the environment.
  std::map<std::string, std::optional<Word>, std::less<>> variables;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Word, std::less<>> aliases;
  std::optional<std::vector<Word>> arguments;  // $1, $2 and so on
  // Where relative paths start: empty is where the command line is started. Nothing: unknown.
  std::optional<Word> directory = Word();
  // Set by what lets wildcards match names that begin with a dot: dotglob, GLOBIGNORE.
  bool globs_match_dots = false;
  bool ended = false;  // after exit and return: what follows is not reached

  void Assign(const std::string& name, std::optional<Word> value);
  // What holds after one or the other of two ways.
  void MergeFrom(const State& other);
};

// A path as the state has it.
struct Place {
  std::string path;
  Start start = Start::kWorkingDirectory;
  Exactness exactness = Exactness::kExact;
};
Place PlaceOf(const Word& path, const std::optional<Word>& directory);
// `path` as seen from `directory`, as a word again; nothing if it cannot be told.
std::optional<Word> Joined(const std::optional<Word>& directory, const Word& path);

}  // namespace cordon::shell
