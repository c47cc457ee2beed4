// Connecting to a local socket, which happens at once or not at all.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

#include "cordon/result.h"

namespace cordon::consent {

// Only to a process of our own user. Errors: kConsentUnavailable.
Result<boost::asio::local::stream_protocol::socket> ConnectLocal(boost::asio::io_context& io,
                                                                 const std::string& path);

// Whether that error says that nobody will ever answer there: the connection was refused. A
// full queue or a missing right does not say so.
bool IsDead(const Error& error);

}  // namespace cordon::consent
