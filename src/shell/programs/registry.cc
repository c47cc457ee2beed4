#include "shell/programs/registry.h"

#include <algorithm>
#include <map>

namespace cordon::shell {
namespace {

std::map<std::string_view, Handler> AllPrograms() {
  std::map<std::string_view, Handler> programs;
  for (const auto families : {ArchivePrograms, BuiltinPrograms, CopyingPrograms, EditingPrograms,
                              GitPrograms, InterpreterPrograms, NetworkPrograms, PackagePrograms,
                              PlainPrograms, ShellPrograms, WrapperPrograms}) {
    for (const Family& family : families()) {
      std::string_view names = family.names;
      while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        programs[names.substr(0, end)] = family.handler;
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    }
  }
  return programs;
}

}  // namespace

Handler FindProgram(std::string_view name) {
  static const std::map<std::string_view, Handler> kPrograms = AllPrograms();
  const auto found = kPrograms.find(name);
  return found == kPrograms.end() ? nullptr : found->second;
}

}  // namespace cordon::shell
