// The files in a client's roots, page by page.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "guard/guard.h"
#include "mcp/service.h"

namespace cordon::mcp_tools {

// Sorted: root by root, in each by path. Without what ignore files name, hidden files and
// links. Each with its size, and its type where that is known by how it begins. `cursor`: of the
// page before; it stays good while files come and go. Errors: kInvalidParams for a cursor that is
// none; kInternalError for a root that cannot
//   be searched.
mcp::Answered<mcp::Page> ListFiles(guard::Guard& guard, const mcp::Service::Cursor& cursor,
                                   const std::stop_token& stop);

}  // namespace cordon::mcp_tools
