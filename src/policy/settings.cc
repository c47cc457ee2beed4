#include "policy/settings.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::policy {
namespace {

Error Invalid(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "merge settings";
  error.detail = std::move(detail);
  return error;
}

Status CheckDirectories(std::string_view source, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    if (directory.empty()) return Invalid(std::string(source) + ": the directory is empty");
    if (directory.find('\0') != std::string::npos) {
      return Invalid(std::string(source) + ": the directory contains a NUL byte");
    }
  }
  return {};
}

bool IsSet(const std::optional<std::string>& text) { return text && !text->empty(); }

Status AppendSets(const Config& config, std::vector<DenyRule>& deny) {
  const std::vector<std::string> sets =
      config.deny_sets.value_or(std::vector<std::string>{"default"});
  for (const std::string& set : sets) {
    std::vector<DenyRule> rules;
    if (set == "default") {
      rules = DefaultDenyRules();
    } else if (set == "credentials") {
      rules = CredentialDenyRules();
    } else {
      return Invalid("there is no deny set \"" + set + "\"; there are default and credentials");
    }
    std::move(rules.begin(), rules.end(), std::back_inserter(deny));
  }
  return {};
}

Status AppendFlags(const Flags& flags, std::vector<DenyRule>& deny) {
  for (const std::string& pattern : flags.deny) {
    DenyRule rule;
    rule.pattern = pattern;
    rule.origin = "--deny";
    if (Result<DenyList> compiled = DenyList::Compile({rule}); !compiled) {
      Error error = std::move(compiled.error());
      error.detail = "--deny \"" + pattern + "\": " + error.detail;
      return error;
    }
    deny.push_back(std::move(rule));
  }
  return {};
}

bool AllowsCommands(const Config& config) {
  return std::any_of(config.commands.begin(), config.commands.end(),
                     [](const CommandRule& rule) { return rule.action == CommandAction::kAllow; });
}

}  // namespace

Result<Settings> Merge(const Flags& flags, const Environment& environment,
                       const Config& operator_config) {
  TRY(CheckDirectories("--root", flags.roots));
  TRY(CheckDirectories("--allow-read", flags.read_only_roots));
  Settings settings;
  settings.profile =
      flags.profile.value_or(operator_config.profile.value_or(Profile::kInteractive));
  if (!flags.roots.empty()) {
    settings.roots = flags.roots;
  } else if (IsSet(environment.allowed_root_directory)) {
    settings.roots = {*environment.allowed_root_directory};
  } else {
    settings.roots = operator_config.roots;
  }
  settings.read_only_roots =
      flags.read_only_roots.empty() ? operator_config.read_only_roots : flags.read_only_roots;
  settings.data_dir = IsSet(environment.data_dir) ? environment.data_dir : operator_config.data_dir;
  settings.read_only = operator_config.read_only.value_or(false);
  settings.tools = operator_config.tools;
  settings.commands = operator_config.commands;
  TRY(AppendSets(operator_config, settings.deny));
  settings.deny.insert(settings.deny.end(), operator_config.deny.begin(),
                       operator_config.deny.end());
  TRY(AppendFlags(flags, settings.deny));
  return settings;
}

Status Narrow(Settings& settings, const Config& workspace_config) {
  const bool widens = !workspace_config.roots.empty() ||
                      !workspace_config.read_only_roots.empty() || workspace_config.data_dir ||
                      workspace_config.deny_sets || workspace_config.read_only == false ||
                      AllowsCommands(workspace_config);
  if (widens) {
    return Invalid(
        "a workspace's own file can only narrow, by \"profile\", \"read_only = true\", "
        "\"[[deny]]\", \"[[tool]]\" and \"[[command]]\"");
  }
  if (workspace_config.profile && !IsNarrowerOrEqual(*workspace_config.profile, settings.profile)) {
    const std::string& position = workspace_config.profile_position;
    return Invalid((position.empty() ? "" : position + ": ") + "profile \"" +
                   std::string(ProfileName(*workspace_config.profile)) + "\" would allow what \"" +
                   std::string(ProfileName(settings.profile)) +
                   "\" refuses; a workspace's own file can only narrow");
  }
  if (workspace_config.profile) settings.profile = *workspace_config.profile;
  settings.read_only = settings.read_only || workspace_config.read_only.value_or(false);
  settings.deny.insert(settings.deny.end(), workspace_config.deny.begin(),
                       workspace_config.deny.end());
  settings.narrowing_tools = workspace_config.tools;
  settings.commands.insert(settings.commands.end(), workspace_config.commands.begin(),
                           workspace_config.commands.end());
  return {};
}

}  // namespace cordon::policy
