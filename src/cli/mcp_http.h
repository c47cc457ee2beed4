// cordon mcp --http: the same service for clients that connect.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "mcp/http_server.h"
#include "mcp/hub.h"
#include "mcp/service.h"

namespace cordon::cli {

struct McpHttpFlags {
  std::optional<std::string> address;     // --http ADDRESS; unset: not over HTTP
  std::optional<std::string> token_file;  // --token-file FILE
  std::vector<std::string> origins;       // --allow-origin ORIGIN
  std::vector<std::string> hosts;         // --allow-host NAME
};

// `flags` must outlive the parse.
void AddMcpHttpFlags(CLI::App& command, McpHttpFlags& flags);

// What the flags mean: where to listen, and who may come in. Reads the token, or makes one
// and says it on stderr; a Unix socket, which is this user's alone, needs none.
struct McpHttpChoices {
  mcp::HttpOptions options;
  std::shared_ptr<const auth::Access> access;
};
// Errors: kInvalidArguments.
Result<McpHttpChoices> ParseMcpHttpFlags(const McpHttpFlags& flags);

// Prints the URL and serves until a signal asks to end, or whoever reads the output is gone.
// For a program that has one thread so far: `make` makes the service, and what it needs.
Status ServeHttp(const McpHttpChoices& choices,
                 const std::function<Result<std::unique_ptr<mcp::Service>>(mcp::Hub&)>& make);

}  // namespace cordon::cli
