// The command line that every benchmark has: [--json FILE] [--enforce] [--rounds N].
#pragma once

#include <string>

namespace cordon::bench {

struct Arguments {
  std::string json;      // where the results go, too; empty: nowhere
  bool enforce = false;  // a bound that is not met is a failure
  int rounds = 0;
};

// Ends the program with its usage if it is none of that.
Arguments ParseArguments(int argc, char** argv, const char* program, int usual_rounds);

}  // namespace cordon::bench
