// The names of hosts, which libraries of the system tell.
#pragma once

#include "cordon/result.h"

namespace cordon::cli {

// Before they are asked for, and before anything was read or said: a program that is linked whole
// cannot load those libraries, and becomes cordon-all here, with the same arguments. Each
// program says which it is. Errors: kNotFound when there is no cordon-all.
Status NeedNameServices();

}  // namespace cordon::cli
