// cordon-all: every subcommand.
#include <vector>

#include "cli/program.h"

int main(int argc, char** argv) {
  using namespace cordon::cli;
  std::vector<Subcommand> all(QuickSubcommands().begin(), QuickSubcommands().end());
  all.insert(all.end(), OtherSubcommands().begin(), OtherSubcommands().end());
  return RunProgram(argc, argv, all);
}
