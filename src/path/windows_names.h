// What Windows makes of a single name in a path.
#pragma once

#include <string_view>

#include "cordon/result.h"

namespace cordon::path {

// True for CON, NUL, COM1 and their kind in any case, with any extension, stream
// text, and dots and spaces between: what some version of Windows opens as a
// device in whatever directory it is named.
bool IsReservedDeviceName(std::string_view name);

// True for a name that begins like a drive: one character and a colon.
bool IsDriveLike(std::string_view name);

// True for a name of dots and spaces with at least two dots, other than "..":
// versions of Windows disagree on whether it is "..".
bool IsDisguisedDotDot(std::string_view name);

// Whether `name` can be a file's own and only spelling.
// Errors: kInvalidPath; violation kDevice for reserved names, kEncoding for
//   what is not UTF-8.
Status CheckWindowsName(std::string_view name);

}  // namespace cordon::path
