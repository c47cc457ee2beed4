// A server on two byte streams: one message a line, both eras.
#pragma once

#include <cstddef>

#include "cordon/result.h"
#include "mcp/hub.h"
#include "mcp/line_stream.h"
#include "mcp/service.h"

namespace cordon::mcp {

struct StdioLimits {
  std::size_t line = std::size_t{64} << 20;  // bytes; a longer one is answered as an error
  std::size_t running = 16;                  // requests at a time
  std::size_t waiting = 1024;                // more are refused
  // Bytes of all lines that wait or run together; a line that does not fit is refused, unless
  // there is no other. The first 64 KiB of each are free.
  std::size_t held = std::size_t{128} << 20;
};

// Serves until the input ends or the output is gone, then stops what runs. Waits for it.
Status ServeLines(Service& service, Hub& hub, LineStream& stream, const StdioLimits& limits = {});

}  // namespace cordon::mcp
