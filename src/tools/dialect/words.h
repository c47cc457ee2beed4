// Sentences with places to fill in.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// {name} becomes what `data` has under the name, or else what the call has: texts,
// numbers, lists of numbers. What neither has leaves nothing behind.
std::string Fill(std::string_view words, const boost::json::object& data, const Arguments& given);

// As above, with {path}: what was asked for, and {advice}: how to do better.
std::string FillFailure(std::string_view words, const Failure& failure, const Scene& scene);

}  // namespace cordon::tools::dialect
