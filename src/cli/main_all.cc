// cordon-all: every subcommand.
#include <vector>

#include "cli/program.h"

int main(int argc, char** argv) {
  using cordon::cli::OtherSubcommands, cordon::cli::QuickSubcommands, cordon::cli::Subcommand;
  std::vector<Subcommand> all(QuickSubcommands().begin(), QuickSubcommands().end());
  all.insert(all.end(), OtherSubcommands().begin(), OtherSubcommands().end());
  return cordon::cli::RunProgram(argc, argv, all);
}
