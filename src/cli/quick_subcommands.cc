#include "cli/program.h"

namespace cordon::cli {
namespace {

constexpr Subcommand kQuick[] = {
    {"check", AddOf<AddCheckCommand>},
    {"hook", AddOf<AddHookCommand>},
    {"run", AddRunCommand},
};

}  // namespace

std::span<const Subcommand> QuickSubcommands() { return kQuick; }

}  // namespace cordon::cli
