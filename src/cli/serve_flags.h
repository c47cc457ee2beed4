// The flags of cordon serve, and what they mean.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/serve_drivers.h"
#include "cli/serve_previews.h"
#include "cordon/result.h"
#include "net/http_server.h"
#include "policy/profile.h"
#include "policy/tool_level.h"
#include "provision/sandboxes.h"

namespace cordon::cli {

struct ServeFlags {
  std::optional<std::string> listen, state, most, pool, idle, lifetime, full, docker_socket, image,
      when_idle, profile;
  std::vector<std::string> drivers, asks, hosts;
  bool anywhere = false;
  ServePreviewFlags previews;
};

// `flags` must outlive the parse.
void AddServeFlags(CLI::App& command, ServeFlags& flags);
void AddStateFlag(CLI::App& command, std::optional<std::string>& state);

struct ServeChoices {
  net::HttpAddress address;
  std::string state;  // absolute
  DriverChoices drivers;
  provision::Policy policy;
  std::vector<policy::ToolRule> tools;
  policy::Profile profile = policy::Profile::kSandboxed;  // of the owner's; others' are sandboxed
  std::optional<preview::PreviewTerms> previews;
};
// Errors: kInvalidArguments.
Result<ServeChoices> ParseServeFlags(const ServeFlags& flags);
// Absolute; the usual one if none is given.
Result<std::string> StateDirectory(const std::optional<std::string>& given);

}  // namespace cordon::cli
