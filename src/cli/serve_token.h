// cordon serve token: the API's tokens, from the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/report.h"
#include "cordon/result.h"
#include "store/store.h"

namespace cordon::cli {

void AddServeTokenCommand(CLI::App& serve, ExitStatus& status);

// What the server remembers, in its state directory.
Result<std::shared_ptr<store::Store>> OpenServeStore(const std::string& state);

}  // namespace cordon::cli
