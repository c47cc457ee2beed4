#include "platform/name_services.h"

#include <sys/auxv.h>

namespace cordon::platform {

// Where the kernel put the loader, if there is one.
bool HasNameServices() { return ::getauxval(AT_BASE) != 0; }

}  // namespace cordon::platform
