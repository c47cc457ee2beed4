// Types to the letter, complained of as zod does: for clients that know those sentences.
#pragma once

#include <boost/json/object.hpp>

#include "cordon/result.h"
#include "tools/field.h"

namespace cordon::tools::dialect {

// Every fault there is, a line each, in the error's detail. Arguments that are not
// declared are none. Errors: kInvalidArguments.
Status CheckStrictly(Fields fields, const boost::json::object& given);

}  // namespace cordon::tools::dialect
