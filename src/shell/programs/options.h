// Options and operands, as getopt_long tells them apart.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/word.h"

namespace cordon::shell {

enum class Order {
  kAnywhere,     // options may follow operands
  kOperandsEnd,  // from the first operand on, all are operands
};

struct Options {
  std::vector<Word> operands;
  // Options with their values, empty where they have none, in their order: {"-o", "x"}.
  std::vector<std::pair<std::string, Word>> given;

  // True if any of the options, blanks between them, was given.
  bool Has(std::string_view names) const;
  std::vector<Word> Values(std::string_view names) const;
};

// `valued` names the options that take a value, blanks between them: "-o --output". "-i?"
// has one only if it is attached. Long options may be cut short, as getopt allows it.
Options ReadOptions(const std::vector<Word>& arguments, std::string_view valued,
                    Order order = Order::kAnywhere);

// True if `name` is one of `names`, which have blanks between them.
bool IsOneOf(std::string_view name, std::string_view names);

}  // namespace cordon::shell
