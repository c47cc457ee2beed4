// cordon config show, schema and reference.
#include "policy/config.h"

#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "api/load_settings.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/judge.h"
#include "policy/profile.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct Origins {
  std::string profile;
  std::string read_only;
  std::string roots;
  std::string read_only_roots;
  std::string data_dir;
};

// Who decided: the first that spoke, else `otherwise`.
struct Candidate {
  bool spoke;
  std::string_view name;
};
std::string FirstOf(std::initializer_list<Candidate> candidates, std::string_view otherwise) {
  for (const Candidate& candidate : candidates) {
    if (candidate.spoke) return std::string(candidate.name);
  }
  return std::string(otherwise);
}

// Where each value comes from, by the precedence that Merge and Narrow follow.
Origins OriginsOf(const CommonFlags& flags, const api::SettingsFiles& files) {
  const policy::Environment environment = api::ReadEnvironment();
  static const api::SettingsFile kNone;
  const api::SettingsFile& theirs = files.of_operator ? *files.of_operator : kNone;
  const api::SettingsFile& own = files.of_workspace ? *files.of_workspace : kNone;
  Origins origins;
  origins.profile = FirstOf({{own.config.profile.has_value(), own.name},
                             {flags.profile.has_value(), "--profile"},
                             {theirs.config.profile.has_value(), theirs.name}},
                            "default");
  origins.read_only = FirstOf({{theirs.config.read_only == true, theirs.name},
                               {own.config.read_only == true, own.name},
                               {theirs.config.read_only.has_value(), theirs.name}},
                              "default");
  origins.roots =
      FirstOf({{!flags.roots.empty(), "--root"},
               {environment.allowed_root_directory.has_value(), "ALLOWED_ROOT_DIRECTORY"},
               {!theirs.config.roots.empty(), theirs.name}},
              "profile");
  origins.read_only_roots =
      FirstOf({{!flags.read_only_roots.empty(), "--allow-read"}}, theirs.name);
  origins.data_dir = FirstOf({{environment.data_dir.has_value(), "DATA_DIR"}}, theirs.name);
  return origins;
}

std::string_view MissingRootWord(policy::MissingRoot missing) {
  switch (missing) {
    case policy::MissingRoot::kRefuse: return "none: this profile refuses to start without one";
    case policy::MissingRoot::kCurrentDirectory: return "none: the current directory is taken";
    case policy::MissingRoot::kRefuseWithoutSandbox: return "none: a sandbox is required";
    case policy::MissingRoot::kAllowAll: return "none: everything is allowed";
  }
  return "none";
}

std::string DescribeRule(const policy::DenyRule& rule) {
  std::string text = Quoted(rule.pattern);
  for (std::size_t i = 0; i < rule.except.size(); ++i) {
    text += (i == 0 ? " except " : ", ") + Quoted(rule.except[i]);
  }
  if (!rule.operations.all()) {
    text += " for";
    for (std::size_t i = 0; i < rule.operations.size(); ++i) {
      if (rule.operations.test(i)) {
        text += ' ';
        text += OperationName(static_cast<Operation>(i));
      }
    }
  }
  return text + "  (" + Printable(rule.origin) + ")";
}

std::string From(std::string_view origin) {
  return "  (" + Printable(origin, kMaxSentenceBytes) + ")\n";
}

void PrintFiles(const api::SettingsFiles& files) {
  for (const std::optional<api::SettingsFile>& file : {files.of_operator, files.of_workspace}) {
    if (file) std::cout << "file        " << Quoted(file->name) << '\n';
  }
}

void PrintSettings(const policy::Settings& settings, const Origins& origins) {
  std::cout << "profile     " << policy::ProfileName(settings.profile) << From(origins.profile);
  std::cout << "read only   " << (settings.read_only ? "yes" : "no") << From(origins.read_only);
  if (settings.roots.empty()) {
    std::cout << "root        " << MissingRootWord(policy::RulesOf(settings.profile).missing_root)
              << '\n';
  }
  for (const std::string& root : settings.roots) {
    std::cout << "root        " << Quoted(root) << From(origins.roots);
  }
  for (const std::string& root : settings.read_only_roots) {
    std::cout << "readable    " << Quoted(root) << From(origins.read_only_roots);
  }
  if (settings.data_dir) {
    std::cout << "data dir    " << Quoted(*settings.data_dir) << From(origins.data_dir);
  }
  for (const policy::DenyRule& rule : settings.deny) {
    std::cout << "deny        " << DescribeRule(rule) << '\n';
  }
  for (const std::vector<policy::ToolRule>* rules : {&settings.tools, &settings.narrowing_tools}) {
    for (const policy::ToolRule& rule : *rules) {
      std::cout << "tool        " << Quoted(rule.name) << ' ' << policy::ToolLevelName(rule.level)
                << From(rule.origin);
    }
  }
}

void PrintCommandRules(const policy::Settings& settings) {
  for (const policy::CommandRule& rule : settings.commands) {
    std::cout << "command     " << policy::CommandActionName(rule.action) << ' '
              << Quoted(rule.name()) << From(rule.origin);
  }
}

void PrintPlaces(const guard::Boundary& boundary) {
  for (const guard::Boundary::Place& place : boundary.places()) {
    std::cout << "opened      " << Quoted(place.root->real_path()) << "  " << ZoneName(place.zone)
              << '\n';
  }
  std::cout << "resolver    " << ResolverName(boundary.workspace().active_resolver()) << '\n';
}

json::object PathWithOrigin(const std::string& path, std::string_view origin) {
  json::object object;
  AddBytes(object, "path", path);
  AddBytes(object, "origin", origin);
  return object;
}

json::array FilesArray(const api::SettingsFiles& files) {
  json::array array;
  for (const std::optional<api::SettingsFile>& file : {files.of_operator, files.of_workspace}) {
    if (!file) continue;
    json::object object;
    AddBytes(object, "path", file->name);
    array.emplace_back(std::move(object));
  }
  return array;
}

json::object SettingsObject(const policy::Settings& settings, const Origins& origins,
                            const api::SettingsFiles& files) {
  json::object data;
  data["files"] = FilesArray(files);
  json::object profile;
  profile["value"] = policy::ProfileName(settings.profile);
  AddBytes(profile, "origin", origins.profile);
  data["profile"] = std::move(profile);
  json::object read_only;
  read_only["value"] = settings.read_only;
  AddBytes(read_only, "origin", origins.read_only);
  data["readOnly"] = std::move(read_only);
  json::array roots;
  for (const std::string& root : settings.roots) {
    roots.emplace_back(PathWithOrigin(root, origins.roots));
  }
  data["roots"] = std::move(roots);
  json::array readable;
  for (const std::string& root : settings.read_only_roots) {
    readable.emplace_back(PathWithOrigin(root, origins.read_only_roots));
  }
  data["readOnlyRoots"] = std::move(readable);
  if (settings.data_dir) data["dataDir"] = PathWithOrigin(*settings.data_dir, origins.data_dir);
  json::array deny;
  for (const policy::DenyRule& rule : settings.deny) deny.emplace_back(DenyRuleObject(rule));
  data["deny"] = std::move(deny);
  json::array tools;
  for (const std::vector<policy::ToolRule>* rules : {&settings.tools, &settings.narrowing_tools}) {
    for (const policy::ToolRule& rule : *rules) {
      json::object tool;
      AddBytes(tool, "name", rule.name);
      tool["level"] = policy::ToolLevelName(rule.level);
      AddBytes(tool, "origin", rule.origin);
      tools.emplace_back(std::move(tool));
    }
  }
  data["tools"] = std::move(tools);
  json::array commands;
  for (const policy::CommandRule& rule : settings.commands) {
    commands.emplace_back(CommandRuleObject(rule));
  }
  data["commands"] = std::move(commands);
  return data;
}

void AddPlaces(json::object& data, const guard::Boundary& boundary) {
  json::array places;
  for (const guard::Boundary::Place& place : boundary.places()) {
    json::object object;
    AddBytes(object, "path", place.root->real_path());
    object["zone"] = ZoneName(place.zone);
    places.emplace_back(std::move(object));
  }
  data["opened"] = std::move(places);
  data["resolver"] = ResolverName(boundary.workspace().active_resolver());
}

// What is configured is shown even when it cannot be opened: that is when one
// wants to see it.
ExitStatus ShowJson(json::object data, const Result<guard::Boundary>& boundary) {
  if (boundary) AddPlaces(data, *boundary);
  json::object result;
  result["success"] = boundary.has_value();
  result["data"] = std::move(data);
  if (!boundary) result["error"] = ErrorObject(boundary.error());
  if (boundary && !boundary->warnings().empty()) {
    result["warnings"] = TextArray(boundary->warnings());
  }
  std::cout << Serialize(result) << '\n';
  return boundary ? ExitStatus::kDone : StatusOfSetup(boundary.error());
}

ExitStatus ShowPlaces(const Result<guard::Boundary>& boundary) {
  if (!boundary) return ReportSetupError(boundary.error(), OutputFormat::kText);
  PrintWarnings(boundary->warnings());
  PrintPlaces(*boundary);
  return ExitStatus::kDone;
}

ExitStatus Show(const CommonFlags& flags) {
  api::SettingsFiles files;
  const Result<policy::Settings> settings = LoadSettings(flags, &files);
  if (!settings) return ReportSetupError(settings.error(), flags.format());
  const Origins origins = OriginsOf(flags, files);
  const Result<guard::Boundary> boundary = OpenBoundary(*settings);
  if (flags.json) return ShowJson(SettingsObject(*settings, origins, files), boundary);
  PrintFiles(files);
  PrintSettings(*settings, origins);
  PrintCommandRules(*settings);
  return ShowPlaces(boundary);
}

}  // namespace

void AddConfigCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& config = *app.add_subcommand("config", "What is in force, and how to say it");
  config.require_subcommand(1);
  config.footer("Example:\n  cordon config show --root ~/project --profile strict");
  CLI::App& show = *config.add_subcommand(
      "show", "The effective settings, where each comes from, and what was opened");
  const auto flags = std::make_shared<CommonFlags>();
  AddCommonFlags(show, *flags);
  show.footer("Example:\n  cordon config show --root ~/project --json");
  show.callback([flags, &status] { status = Show(*flags); });
  CLI::App& schema = *config.add_subcommand("schema", "JSON Schema of the configuration file");
  schema.footer("Example:\n  cordon config schema > cordon.schema.json");
  schema.callback([&status] {
    std::cout << policy::ConfigSchema() << '\n';
    status = ExitStatus::kDone;
  });
  CLI::App& reference =
      *config.add_subcommand("reference", "Every key of the configuration file, as Markdown");
  reference.footer("Example:\n  cordon config reference > keys.md");
  reference.callback([&status] {
    std::cout << policy::ConfigReference();
    status = ExitStatus::kDone;
  });
}

}  // namespace cordon::cli
