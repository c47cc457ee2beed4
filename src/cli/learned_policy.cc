#include "cli/learned_policy.h"

#include <set>

#include "base/printable.h"

namespace cordon::cli {
namespace {

// A basic string of TOML.
std::string TomlText(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += "\\u00";
      quoted += kHex[byte >> 4];
      quoted += kHex[byte & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

bool IsOutside(const sandbox::Refused& refused) {
  return refused.rule == "outside" || refused.rule == "boundary" || refused.rule == "consent";
}

}  // namespace

std::string LearnedPolicy(const guard::CommandOutcome& outcome, std::string_view workspace) {
  std::set<std::string> readable;
  std::string others;
  for (const sandbox::Refused& refused : outcome.refused) {
    const std::string what = std::string(OperationName(refused.operation)) + " of " +
                             Quoted(refused.path) + " by " + Printable(refused.program);
    if (IsOutside(refused) && IsReadOnly(refused.operation)) {
      readable.insert(DirectoryOf(refused.path));
    } else if (IsOutside(refused)) {
      others += "# " + what + ": to allow it, add a directory to roots\n";
    } else {
      others += "# " + what + ": rule " + Printable(refused.rule) + " refuses it\n";
    }
  }
  std::string hosts;
  for (const guard::Connection& connection : outcome.connections) {
    if (!hosts.empty()) hosts += ",";
    hosts += Printable(connection.host) + ":" + std::to_string(connection.port);
  }
  std::string text = "# What a command needed. Read every line before you use it.\n";
  text += "roots = [" + TomlText(workspace) + "]\n";
  if (!readable.empty()) {
    text += "read_only_roots = [\n";
    for (const std::string& directory : readable) text += "  " + TomlText(directory) + ",\n";
    text += "]\n";
  }
  text += others;
  if (!hosts.empty())
    text += "# It was refused connections; to allow them: --net allow:" + hosts + "\n";
  if (outcome.more.untold != 0) {
    text += "# " + std::to_string(outcome.more.untold) + " more refusals are not told here\n";
  }
  return text;
}

}  // namespace cordon::cli
