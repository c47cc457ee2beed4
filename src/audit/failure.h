// How the log says that it cannot.
#pragma once

#include <string>
#include <string_view>

#include "cordon/error.h"

namespace cordon::audit {

// kIoError, rule "audit": "the audit log cannot be written (<cause>), so the
// operation was refused".
Error CannotWrite(const Error& cause);

// Rule "audit": "the audit log cannot be opened (<cause>)". The code stays where the
// file itself is at fault; all else is kIoError.
Error CannotOpen(const Error& cause);

// kIoError, rule "audit": "the audit log is damaged (<what>): ...".
Error Damaged(std::string_view what);

}  // namespace cordon::audit
