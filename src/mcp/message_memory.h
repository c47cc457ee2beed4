// Where a message's values live while it is answered.
#pragma once

#include <boost/json/storage_ptr.hpp>
#include <cstddef>

namespace cordon::mcp {

// Both are for a message of `size` bytes, and never much more than it was worth; whoever
// sends a million empty arrays gets std::bad_alloc.
// Thread safety: values of one message belong to one thread at a time.

// Given back all at once.
boost::json::storage_ptr MessageMemory(std::size_t size);
// For the parser's own needs: given back piece by piece.
boost::json::storage_ptr ParserMemory(std::size_t size);

}  // namespace cordon::mcp
