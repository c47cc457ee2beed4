// The machine-readable side of every subcommand.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "policy/command_rule.h"
#include "policy/deny_list.h"

namespace cordon::cli {

// Sets `key` to `bytes`. Bytes that are not UTF-8 are percent-encoded, and
// `key`Encoding is then "percent": decoding gives back the very bytes.
void AddBytes(boost::json::object& object, std::string_view key, std::string_view bytes);

// The "error" object of a result: code, message, aiMessage, securityViolation,
// violation, recoverable, rule, component.
boost::json::object ErrorObject(const Error& error, std::string_view requested);

// An error that no path was asked for: configuration, usage.
boost::json::object ErrorObject(const Error& error);

boost::json::object DenyRuleObject(const policy::DenyRule& rule);
boost::json::object CommandRuleObject(const policy::CommandRule& rule);
// For people: unsafe characters are escaped.
boost::json::array TextArray(const std::vector<std::string>& texts);

// One line, safe to show on a terminal.
std::string Serialize(const boost::json::object& object);

}  // namespace cordon::cli
