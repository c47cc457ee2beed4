// The programs whose arguments are understood.
#pragma once

#include <string_view>
#include <vector>

#include "shell/call.h"
#include "shell/interpreter.h"

namespace cordon::shell {

// Notes what the program would do; what it would write to its output.
using Handler = Flow (*)(const Call& call, Interpreter& shell);

// Several names, with blanks between them, that are handled alike.
struct Family {
  std::string_view names;
  Handler handler;
};

// Each file of this folder has one of these.
std::vector<Family> ArchivePrograms();
std::vector<Family> BuiltinPrograms();
std::vector<Family> CopyingPrograms();
std::vector<Family> EditingPrograms();
std::vector<Family> GitPrograms();
std::vector<Family> InterpreterPrograms();
std::vector<Family> NetworkPrograms();
std::vector<Family> PackagePrograms();
std::vector<Family> PlainPrograms();
std::vector<Family> ShellPrograms();
std::vector<Family> WrapperPrograms();

// Nothing for what nobody has described.
Handler FindProgram(std::string_view name);

}  // namespace cordon::shell
