// How --help and the manual tell that a command runs what stands after "--".
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace cordon::cli {

enum class ProgramAfter { kMust, kMay };

void TakesProgram(CLI::App& command, ProgramAfter whether);

// "-- PROGRAM [ARGUMENT...]", in brackets where it may be left out; "" for other commands.
std::string ProgramUsage(const CLI::App& command);

}  // namespace cordon::cli
