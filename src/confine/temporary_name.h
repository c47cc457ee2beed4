// Names for what lies in a directory only while an operation runs.
#pragma once

#include <string>
#include <string_view>

namespace cordon::confine {

// ".cordon-" and 16 digits nobody can guess.
std::string TemporaryName();

// Whether an operation of this process may be using the name just now: it is one of the last few
// thousand that were chosen. What is called so is nobody's file: it is not told, and neither
// copied nor kept with a tree. Other processes' are files like any other, as after a crash.
bool IsTemporary(std::string_view name);

// What has the name stays there, and is somebody's file from now on.
void KeepName(std::string_view name);

}  // namespace cordon::confine
