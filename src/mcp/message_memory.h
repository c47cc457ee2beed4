// Where a message's values live while it is answered.
#pragma once

#include <boost/json/storage_ptr.hpp>
#include <cstddef>

namespace cordon::mcp {

// For a message of `size` bytes: given back all at once, and never much more than the
// message itself was worth; whoever sends a million empty arrays gets std::bad_alloc.
// Thread safety: values of one message belong to one thread at a time.
boost::json::storage_ptr MessageMemory(std::size_t size);

}  // namespace cordon::mcp
