// A program that is about to be run, and what it is given.
#pragma once

#include <string>
#include <vector>

#include "shell/word.h"

namespace cordon::shell {

// What a program reads from or writes to a pipe.
struct Flow {
  enum class Kind {
    kNothing,  // what the command line itself is given, or nothing
    kText,     // `text`
    kNetwork,  // what came from another machine
    kUnknown,
  };
  Kind kind = Kind::kNothing;
  Word text;

  static Flow Unknown() { return {Kind::kUnknown, {}}; }
  static Flow Network() { return {Kind::kNetwork, {}}; }
  static Flow Text(Word text) { return {Kind::kText, std::move(text)}; }
};

// What comes out of a program that changes its input in a way nobody follows.
inline Flow Changed(const Flow& input) {
  return input.kind == Flow::Kind::kNetwork ? input : Flow::Unknown();
}

struct Call {
  std::string name;  // without a directory
  std::vector<Word> arguments;
  Flow input;
};

}  // namespace cordon::shell
