// What a change of the undo journal did to a file, for a person.
#pragma once

#include <boost/json/object.hpp>

#include "guard/guard.h"
#include "undo/journal.h"

namespace cordon::serve {

// {"kind", "path", "to", "diff", "note"}. What came after the change is not kept: it is taken from
// what a later one kept, or from the file if it is still as the change left it; `note` says when it
// is neither.
boost::json::object ChangedFileObject(guard::Guard& guard, const undo::Journal& journal,
                                      const undo::Change& change);

}  // namespace cordon::serve
