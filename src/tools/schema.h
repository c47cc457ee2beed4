// Declarations as JSON Schema (2020-12), for clients and documentation.
#pragma once

#include <boost/json/object.hpp>

#include "tools/tool.h"

namespace cordon::tools {

boost::json::object InputSchema(Fields fields, Others others = Others::kRefused);
boost::json::object OutputSchema(Fields fields, Others others = Others::kRefused);

// {"name", "title", "description", "annotations", "inputSchema", "outputSchema"}.
boost::json::object ToolObject(const Tool& tool, Others others = Others::kRefused);

// Whether `data` is what `fields` declare. Errors: kInvalidArguments, naming the place.
Status CheckOutput(Fields fields, const boost::json::object& data);

}  // namespace cordon::tools
