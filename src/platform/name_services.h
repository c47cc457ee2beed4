// Whether this program can ask what the system knows of users and hosts.
#pragma once

namespace cordon::platform {

// The C library loads that at run time, which a program that is linked whole cannot.
bool HasNameServices();

}  // namespace cordon::platform
