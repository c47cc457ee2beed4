// The errors of the path grammars, made in one place so that they read alike.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::path {

// kInvalidPath: the text is no path, or a part of it no name.
Error InvalidPath(std::string_view component, std::string detail,
                  Violation violation = Violation::kNone);
// kInvalidPath for a name that stands for a device.
Error DeviceName(std::string_view component);
// kPathOutsideProject: the text leads out of the root, or cannot be shown not to.
Error OutsidePath(std::string_view component, std::string detail, Violation violation);

// What every grammar asks of a text first: not empty, no NUL, not beyond
// kMaxPathBytes.
Status CheckText(std::string_view untrusted);

}  // namespace cordon::path
