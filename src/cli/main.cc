// cordon: the quick subcommands. All others stand in a program of their own, cordon-all, which
// takes over where one of them is named: what a server is made of would double the time that
// the quick ones take to start.
#include <algorithm>
#include <string_view>

#include "cli/companion.h"
#include "cli/program.h"
#include "platform/become.h"

namespace {

using cordon::cli::Subcommand;

bool IsQuick(std::string_view name) {
  return std::ranges::any_of(cordon::cli::QuickSubcommands(),
                             [name](const Subcommand& one) { return one.name == name; });
}

cordon::Error HandOver(char** argv) {
  const cordon::Result<std::string> all = cordon::cli::FindCompanion("cordon-all");
  return all ? cordon::platform::Become(*all, argv) : all.error();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && IsQuick(argv[1])) {
    return cordon::cli::RunProgram(argc, argv, cordon::cli::QuickSubcommands());
  }
  return static_cast<int>(
      cordon::cli::ReportSetupError(HandOver(argv), cordon::cli::OutputFormat::kText));
}
