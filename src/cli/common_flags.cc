#include "cli/common_flags.h"

#include "base/printable.h"
#include "base/try.h"
#include "confine/ambient_authority.h"
#include "policy/profile.h"

namespace cordon::cli {
namespace {

constexpr const char* kGroup = "Boundary";

}  // namespace

CLI::Option* AddList(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                     const std::string& value_name, const std::string& help) {
  return command
      .add_option_function<std::string>(
          name, [&values](const std::string& value) { values.push_back(value); }, help)
      ->trigger_on_parse()
      ->type_name(value_name);
}

CLI::Option* AddText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& help) {
  return command.add_option_function<std::string>(
      name, [&value](const std::string& text) { value = text; }, help);
}

void AddBoundaryFlags(CLI::App& command, CommonFlags& flags) {
  AddList(command, "--root", flags.roots, "DIR",
          "A directory the agent works in; the first is the workspace. Repeatable.")
      ->group(kGroup);
  AddList(command, "--allow-read", flags.read_only_roots, "DIR",
          "A directory the agent may read but not change. Repeatable.")
      ->group(kGroup);
  AddList(command, "--deny", flags.deny, "PATTERN",
          "Refuse this name or path, and all below it: '*.pem', 'config/prod/**'. Repeatable.")
      ->group(kGroup);
  AddText(command, "--profile", flags.profile, "How strict it is; default interactive")
      ->type_name("strict|interactive|sandboxed|compat")
      ->group(kGroup);
  AddText(command, "--config", flags.config_file,
          "Configuration file; default: cordon/config.toml in $XDG_CONFIG_HOME or ~/.config")
      ->type_name("FILE")
      ->group(kGroup);
}

void AddJsonFlag(CLI::App& command, CommonFlags& flags) {
  command.add_flag("--json", flags.json, "Print one JSON object instead of text");
}

void AddCommonFlags(CLI::App& command, CommonFlags& flags) {
  AddBoundaryFlags(command, flags);
  AddJsonFlag(command, flags);
}

Result<policy::Flags> ParseFlags(const CommonFlags& flags) {
  policy::Flags parsed;
  if (flags.profile) {
    parsed.profile = policy::ParseProfile(*flags.profile);
    if (!parsed.profile) {
      return UsageError("--profile: " + Quoted(*flags.profile) +
                        " is not a profile; use strict, interactive, sandboxed or compat");
    }
  }
  for (const std::string& root : flags.roots) {
    if (root.empty()) return UsageError("--root: the name of the directory is empty");
  }
  for (const std::string& root : flags.read_only_roots) {
    if (root.empty()) return UsageError("--allow-read: the name of the directory is empty");
  }
  for (const std::string& pattern : flags.deny) {
    if (pattern.empty()) return UsageError("--deny: the pattern is empty");
  }
  parsed.roots = flags.roots;
  parsed.read_only_roots = flags.read_only_roots;
  parsed.deny = flags.deny;
  return parsed;
}

Result<Operation> ParseOperationFlag(const std::string& text) {
  if (const std::optional<Operation> operation = ParseOperation(text)) return *operation;
  return UsageError("--op: " + Quoted(text) +
                    " is not an operation; use read, write, create, delete, list, mkdir, rename or "
                    "stat");
}

Result<policy::Settings> LoadSettings(const CommonFlags& flags, api::SettingsFiles* files) {
  api::SettingsSource source;
  TRY_ASSIGN(source.flags, ParseFlags(flags));
  source.config_file = flags.config_file;
  return api::LoadSettings(source, confine::AmbientAuthority::OfThisProcess(), files);
}

Result<guard::Boundary> OpenBoundary(const policy::Settings& settings) {
  TRY_ASSIGN(const confine::Resolver resolver, api::ResolverFromEnvironment());
  return guard::Boundary::Open(settings, resolver, confine::AmbientAuthority::OfThisProcess());
}

}  // namespace cordon::cli
