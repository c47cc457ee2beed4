// For programs that can load what they need.
#include "cli/name_services.h"

namespace cordon::cli {

Status NeedNameServices() { return {}; }

}  // namespace cordon::cli
