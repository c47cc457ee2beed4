// What a command line would do, for the one who is asked about it.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

namespace cordon::serve {

// {"risk", "reasons", "programs", "files", "network", "unknown", "truncated"}: at most forty of
// each, the gravest reasons first.
boost::json::object ExplanationObject(std::string_view command);

}  // namespace cordon::serve
