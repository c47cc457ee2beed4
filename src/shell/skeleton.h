// A command line in which each simple command, loop header and so on is one short name, so
// that the grammar sees structure and no quoting.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/lexer.h"

namespace cordon::shell {

struct Redirection {
  std::string_view symbol;      // "<", ">>", "<<-"
  std::string_view descriptor;  // "2", "{name}" or nothing
  std::string_view target;      // as written; empty for a here-document
  std::string_view body;        // of a here-document
  BodyQuoting quoting = BodyQuoting::kExpanded;
};

enum class ItemKind {
  kSimple,        // words and redirections
  kTest,          // [[ ]], its text in words[0]
  kArithmetic,    // (( )), also of a for, its text in words[0]
  kFor,           // words[0] is the variable, the rest what it runs over
  kForArguments,  // a for without "in"
  kCase,          // words[0] is what is compared
  kFunction,      // words[0] is its name
  kRedirect,      // one redirection of a compound command
};

struct Item {
  ItemKind kind = ItemKind::kSimple;
  std::vector<std::string_view> words;
  std::vector<Redirection> redirections;
};

struct Skeleton {
  std::string text;         // "if c0; then c1; fi > c2": number N stands for items[N]
  std::vector<Item> items;  // refer to what the tokens refer to
};

// Nothing if a word is missing where the shell needs one.
std::optional<Skeleton> BuildSkeleton(const std::vector<Token>& tokens);

}  // namespace cordon::shell
