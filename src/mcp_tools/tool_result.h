// How a tool's call ended, as MCP tells it.
#pragma once

#include "guard/boundary.h"
#include "mcp/service.h"
#include "mcp_tools/tool_shelf.h"
#include "tools/menu.h"

namespace cordon::mcp_tools {

// The text for the model first; then what is no text; then, where a file was cut, a link
// by which the rest can be read.
mcp::ToolResult MakeToolResult(tools::Served served, const ShelvedTool& tool,
                               const guard::Boundary& boundary);

// Of a call that did not come as far as its tool.
mcp::ToolResult RefusedCall(const Error& error);

}  // namespace cordon::mcp_tools
