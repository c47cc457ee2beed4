#include "sandbox/environment.h"

#include <algorithm>
#include <array>
#include <map>

namespace cordon::sandbox {
namespace {

constexpr std::array<std::string_view, 44> kPassing = {
    "CARGO_HOME",
    "CC",
    "CFLAGS",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "CMAKE_GENERATOR",
    "COLORTERM",
    "COLUMNS",
    "CPPFLAGS",
    "CXX",
    "CXXFLAGS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "GOFLAGS",
    "GOPATH",
    "GOROOT",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LDFLAGS",
    "LINES",
    "LOGNAME",
    "LS_COLORS",
    "MAKEFLAGS",
    "MANPATH",
    "NODE_ENV",
    "NO_COLOR",
    "NVM_DIR",
    "PATH",
    "PKG_CONFIG_PATH",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "SHELL",
    "SHLVL",
    "SOURCE_DATE_EPOCH",
    "TERM",
    "TERM_PROGRAM",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "VISUAL",
    "XDG_SESSION_TYPE",
};

bool IsName(std::string_view name) {
  if (name.empty()) return false;
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c > ' ' && c < 0x7f && c != '='; });
}

std::string_view NameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

}  // namespace

bool PassesByItself(std::string_view name) {
  return name.starts_with("LC_") ||
         std::find(kPassing.begin(), kPassing.end(), name) != kPassing.end();
}

Result<std::vector<std::string>> CommandEnvironment(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& wanted) {
  std::map<std::string, std::string, std::less<>> chosen;  // whole, by name
  for (const std::string& variable : given) {
    const std::string_view name = NameOf(variable);
    if (variable.size() > name.size() && PassesByItself(name)) chosen[std::string(name)] = variable;
  }
  chosen["TMPDIR"] = "TMPDIR=/tmp";
  for (const std::string& want : wanted) {
    const std::string_view name = NameOf(want);
    if (!IsName(name) || want.find('\0') != std::string::npos) {
      Error error;
      error.code = ErrorCode::kInvalidArguments;
      error.op = "environment";
      error.component = want;
      error.detail = "this is not the name of a variable";
      return error;
    }
    if (want.size() > name.size()) {
      chosen[std::string(name)] = want;
      continue;
    }
    const auto there = std::find_if(given.begin(), given.end(), [&](const std::string& variable) {
      return variable.size() > name.size() && NameOf(variable) == name;
    });
    if (there != given.end()) chosen[std::string(name)] = *there;
  }
  std::vector<std::string> environment;
  environment.reserve(chosen.size());
  for (auto& [name, variable] : chosen) environment.push_back(std::move(variable));
  return environment;
}

}  // namespace cordon::sandbox
