// JSON in one spelling, so that equal values have equal digests.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace cordon::mcp {

// Names sorted by bytes, no blanks. Numbers as they were parsed: 1 and 1.0 differ.
std::string CanonicalText(const boost::json::value& value);

}  // namespace cordon::mcp
