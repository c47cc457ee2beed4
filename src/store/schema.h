// The tables, and how a file of an earlier version comes to have them.
#pragma once

#include "cordon/result.h"
#include "store/connection.h"

namespace cordon::store {

// Of the newest migration. Files of a later version are not opened.
int SchemaVersion();

// Leaves the file with the tables of this version, whole and in WAL mode; all or nothing.
// Requires: nobody else is doing the same.
// Errors: kUnsupported for a file of a newer version; kIoError for one that is damaged or is
//   somebody else's.
Status Migrate(Connection& connection);

}  // namespace cordon::store
