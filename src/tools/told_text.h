// What a model is told of a text it read.
#pragma once

#include <string>
#include <string_view>

#include "tools/reading.h"

namespace cordon::tools {

// The lines; before them, if not all are there, which ones they are and how to go on.
std::string TellText(std::string_view path, const ReadText& text);

}  // namespace cordon::tools
