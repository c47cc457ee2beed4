// What exec and shell have in common: the program, as it is told to the server.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/server_flags.h"
#include "cordon/result.h"

namespace cordon::cli {

struct ProgramFlags {
  ServerFlags server;
  std::optional<std::string> id, directory;
  std::vector<std::string> environment;
};

// SANDBOX, --dir, --env and the server's. `flags` must outlive the parse.
void AddProgramFlags(CLI::App& command, ProgramFlags& flags);

// "arguments", "directory" and "environment" of a request. `words`: the program; may be empty.
// Errors: kInvalidArguments, also for bytes that are no text: the API has only that.
Result<boost::json::object> ProgramObject(const ProgramFlags& flags, const AfterDashes& words);

// Of an object with "exitStatus" and "signal": 128 and the signal, as shells have it.
ExitStatus ProgramStatus(const boost::json::object& end);

// Runs `work`; whatever keeps the program from running is kNotRun.
ExitStatus AskForProgram(const ServerFlags& flags, const ServerWork& work);

}  // namespace cordon::cli
