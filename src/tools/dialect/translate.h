// Arguments of theirs as arguments of ours.
#pragma once

#include <boost/json/object.hpp>

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// In `memory`. Errors: those of the row's conversions.
Result<boost::json::object> Translate(const Row& row, const Arguments& given,
                                      boost::json::storage_ptr memory);

}  // namespace cordon::tools::dialect
