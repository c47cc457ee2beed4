// Arguments of theirs as arguments of ours.
#pragma once

#include <boost/json/object.hpp>

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// Those that `fields` declare, under whatever name.
boost::json::object Declared(Fields fields, const boost::json::object& given);

// In `memory`. Errors: those of the row's conversions.
Result<boost::json::object> Translate(const Row& row, const Arguments& given,
                                      boost::json::storage_ptr memory);

}  // namespace cordon::tools::dialect
