#include "bench/arguments.h"

#include <cstdlib>
#include <iostream>

namespace cordon::bench {

Arguments ParseArguments(int argc, char** argv, const char* program, int usual_rounds) {
  Arguments arguments;
  arguments.rounds = usual_rounds;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--enforce") {
      arguments.enforce = true;
    } else if (argument == "--json" && has_value) {
      arguments.json = argv[++i];
    } else if (argument == "--rounds" && has_value) {
      arguments.rounds = std::atoi(argv[++i]);
    } else {
      arguments.rounds = 0;
      break;
    }
  }
  if (arguments.rounds < 1) {
    std::cerr << "usage: " << program << " [--json FILE] [--enforce] [--rounds N]\n";
    std::exit(2);
  }
  return arguments;
}

}  // namespace cordon::bench
