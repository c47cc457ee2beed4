// A task as both eras write it.
#pragma once

#include <boost/json/object.hpp>

#include "mcp/task.h"

namespace cordon::mcp {

// What an answer to "tasks/get" has, without what the task came to; of 2026-07-28.
boost::json::object TaskObject(const Task& task, const TaskState& state);
// With it.
boost::json::object DetailedTaskObject(const Task& task, const TaskState& state);
// Of 2025-11-25.
boost::json::object OldTaskObject(const Task& task, const TaskState& state);

}  // namespace cordon::mcp
