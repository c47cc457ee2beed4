// A program of subcommands: reads the command line, hands over to one of them.
#pragma once

#include <span>
#include <string_view>

#include "cli/commands.h"

namespace cordon::cli {

struct Subcommand {
  std::string_view name;
  void (*add)(CLI::App& app, ExitStatus& status, const AfterDashes& after);
};

// For a subcommand that runs nothing of what stands after "--".
template <void (*kAdd)(CLI::App&, ExitStatus&)>
void AddOf(CLI::App& app, ExitStatus& status, const AfterDashes& /*after*/) {
  kAdd(app, status);
}

inline constexpr std::string_view kCompletion = "completion";
inline constexpr std::string_view kManual = "manual";

// Those that other programs start for a single operation: what they cost is how they start.
std::span<const Subcommand> QuickSubcommands();
std::span<const Subcommand> OtherSubcommands();

// Answers the program's exit status; whatever is thrown is never "allowed".
int RunProgram(int argc, char** argv, std::span<const Subcommand> subcommands);

}  // namespace cordon::cli
