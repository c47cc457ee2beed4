// Server-sent events.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "net/http_message.h"
#include "net/http_server.h"

namespace cordon::serve {

net::HttpResponse EventStreamHead();
// "event: NAME\ndata: {…}\n\n"; with an id if there is one.
std::string EventText(std::string_view name, const boost::json::object& data,
                      std::string_view id = {});
inline constexpr std::string_view kStillHere = ":\n\n";

// Whether the client would rather have events than one answer.
bool WantsEvents(const net::HttpRequest& request);

// Sets `name` to the bytes as text, or, if they are none, to base64 with NAMEEncoding "base64".
void AddOutput(boost::json::object& object, std::string_view name, std::string_view bytes);

}  // namespace cordon::serve
