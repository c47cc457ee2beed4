// How Cordon's entry looks in the settings of each agent. For the files of this room.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hook/settings.h"

namespace cordon::hook {

// What had to be made so that the entry could stand where it does, each with all before it.
// The entry itself says so, so that it is known when it is taken back.
enum class Made { kEntry, kEvent, kHooks, kFile, kDirectory };
std::string_view MadeName(Made made);  // "entry", "event", ...

// The events that Cordon is put in.
std::span<const std::string_view> EventsOf(Agent agent);

// Whether the agent's events hold groups, {"matcher": ..., "hooks": [...]}, of handlers.
enum class Nesting { kGroups, kHandlers };
Nesting NestingOf(Agent agent);

boost::json::object MakeHandler(const Installation& installation, Made made);
boost::json::object MakeGroup(boost::json::object handler);
// Whether a group is one of MakeGroup, whatever handlers it has.
bool IsOurGroup(const boost::json::object& group);

// Unset: not a handler of Cordon's for `agent`. What it said it made, if it is.
std::optional<Made> OursMade(const boost::json::value& handler, Agent agent);

}  // namespace cordon::hook
