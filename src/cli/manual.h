// Manual pages, of the same tree that parses the command line and prints --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cordon::cli {

// Every command that has a page, the program first.
std::vector<const CLI::App*> DocumentedCommands(const CLI::App& program);

std::string CommandWords(const CLI::App& command);  // "cordon sandbox exec"
std::string PageName(const CLI::App& command);      // "cordon-sandbox-exec"

// The page, in the language of man(7), section 1. `version`: "1.2.3".
std::string ManualPage(const CLI::App& command, const std::string& version);

}  // namespace cordon::cli
