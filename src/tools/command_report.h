// How a command went, as data and in words; shared by the tools that run and follow one.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>

#include "guard/background_commands.h"
#include "tools/field.h"
#include "tools/outcome.h"

namespace cordon::tools {

// From where on each stream is told.
struct OutputPosition {
  std::uint64_t out = 0, err = 0;
};

extern const Fields kCommandFields;

// What `command` printed from `position` on, and if it has ended, how. A program that
// says no is no failure of the tool.
Answer ReportCommand(const guard::BackgroundCommand& command, OutputPosition position,
                     std::string_view handle);

}  // namespace cordon::tools
