// cordon: the quick subcommands. All others stand in a program of their own, cordon-all, which
// takes over where one of them is named: what a server is made of would double the time that
// the quick ones take to start. They are linked whole, too, as to find the C library takes as
// long as half of what they do.
#include <algorithm>
#include <string_view>

#include "cli/companion.h"
#include "cli/name_services.h"
#include "cli/program.h"
#include "platform/become.h"
#include "platform/name_services.h"

namespace {

using cordon::cli::Subcommand;

char** own_arguments = nullptr;

bool IsQuick(std::string_view name) {
  return std::ranges::any_of(cordon::cli::QuickSubcommands(),
                             [name](const Subcommand& one) { return one.name == name; });
}

cordon::Error HandOver() {
  const cordon::Result<std::string> all = cordon::cli::FindCompanion("cordon-all");
  return all ? cordon::platform::Become(*all, own_arguments) : all.error();
}

}  // namespace

cordon::Status cordon::cli::NeedNameServices() {
  if (platform::HasNameServices()) return {};
  return HandOver();
}

int main(int argc, char** argv) {
  own_arguments = argv;
  if (argc > 1 && IsQuick(argv[1])) {
    return cordon::cli::RunProgram(argc, argv, cordon::cli::QuickSubcommands());
  }
  return static_cast<int>(
      cordon::cli::ReportSetupError(HandOver(), cordon::cli::OutputFormat::kText));
}
