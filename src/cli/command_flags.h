// The flags that say how commands are held: network, environment, limits, layers.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "guard/command.h"
#include "sandbox/layer.h"

namespace cordon::cli {

struct CommandFlags {
  std::optional<std::string> network;    // --net none|full|allow:...
  std::vector<std::string> environment;  // --env NAME[=VALUE]
  std::optional<std::string> timeout, cpu, memory, processes, open_files, file_size, disk, space;
  std::vector<std::string> required;  // --require LAYER
  std::vector<std::string> without;   // --without LAYER
};

// `flags` must outlive the parse.
void AddCommandFlags(CLI::App& command, CommandFlags& flags);

// What the flags mean on this machine: with the launcher found and the person's environment
// reduced. Errors: kInvalidArguments; kNotFound when there is no launcher.
Result<std::shared_ptr<const guard::CommandSupport>> ParseCommandFlags(const CommandFlags& flags);

// --without LAYER, repeatable. `layers` must outlive the parse.
void AddWithoutFlag(CLI::App& command, std::vector<std::string>& layers, const std::string& help);
// "all" is each of them. Errors: kInvalidArguments for a name that is no layer's.
Result<sandbox::LayerSet> ParseLayers(const std::string& flag,
                                      const std::vector<std::string>& names);
// What --without leaves out: the layers it names, and those that need one of them.
Result<sandbox::LayerSet> ParseLeftOut(const std::vector<std::string>& names);

}  // namespace cordon::cli
