// cordon config show, cordon config schema.
#include "policy/config.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "api/load_settings.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/judge.h"
#include "cli/terminal_text.h"
#include "policy/profile.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kWorkspaceFile = ".cordon.toml";

struct Origins {
  std::string_view profile;
  std::string_view roots;
  std::string_view data_dir;
};

// Where each value comes from, by the same precedence that Merge follows.
Origins OriginsOf(const CommonFlags& flags, const policy::Settings& settings) {
  const policy::Environment environment = api::ReadEnvironment();
  Origins origins;
  const std::optional<policy::Profile> asked =
      flags.profile ? policy::ParseProfile(*flags.profile) : std::nullopt;
  if (asked) {
    origins.profile = *asked == settings.profile ? "--profile" : kWorkspaceFile;
  } else {
    origins.profile = "configuration or default";
  }
  if (!flags.roots.empty()) {
    origins.roots = "--root";
  } else if (environment.allowed_root_directory) {
    origins.roots = "ALLOWED_ROOT_DIRECTORY";
  } else {
    origins.roots = settings.roots.empty() ? "profile" : "configuration file";
  }
  origins.data_dir = environment.data_dir ? "DATA_DIR" : "configuration file";
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
  return text + "  (" + TerminalText(rule.origin) + ")";
}

void PrintSettings(const policy::Settings& settings, const Origins& origins) {
  std::cout << "profile     " << policy::ProfileName(settings.profile) << "  (" << origins.profile
            << ")\n";
  std::cout << "read only   " << (settings.read_only ? "yes" : "no") << '\n';
  if (settings.roots.empty()) {
    std::cout << "root        " << MissingRootWord(policy::RulesOf(settings.profile).missing_root)
              << '\n';
  }
  for (const std::string& root : settings.roots) {
    std::cout << "root        " << Quoted(root) << "  (" << origins.roots << ")\n";
  }
  for (const std::string& root : settings.read_only_roots) {
    std::cout << "read only   " << Quoted(root) << '\n';
  }
  if (settings.data_dir) {
    std::cout << "data dir    " << Quoted(*settings.data_dir) << "  (" << origins.data_dir << ")\n";
  }
  for (const policy::DenyRule& rule : settings.deny) {
    std::cout << "deny        " << DescribeRule(rule) << '\n';
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
  if (!origin.empty()) object["origin"] = origin;
  return object;
}

json::object SettingsObject(const policy::Settings& settings, const Origins& origins) {
  json::object data;
  json::object profile;
  profile["value"] = policy::ProfileName(settings.profile);
  profile["origin"] = origins.profile;
  data["profile"] = std::move(profile);
  data["readOnly"] = settings.read_only;
  json::array roots;
  for (const std::string& root : settings.roots) {
    roots.emplace_back(PathWithOrigin(root, origins.roots));
  }
  data["roots"] = std::move(roots);
  json::array read_only;
  for (const std::string& root : settings.read_only_roots) {
    read_only.emplace_back(PathWithOrigin(root, ""));
  }
  data["readOnlyRoots"] = std::move(read_only);
  if (settings.data_dir) data["dataDir"] = PathWithOrigin(*settings.data_dir, origins.data_dir);
  json::array deny;
  for (const policy::DenyRule& rule : settings.deny) deny.emplace_back(DenyRuleObject(rule));
  data["deny"] = std::move(deny);
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
ExitStatus ShowJson(const policy::Settings& settings, const Origins& origins,
                    const Result<guard::Boundary>& boundary) {
  json::object data = SettingsObject(settings, origins);
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

ExitStatus ShowText(const policy::Settings& settings, const Origins& origins,
                    const Result<guard::Boundary>& boundary) {
  PrintSettings(settings, origins);
  if (!boundary) return ReportSetupError(boundary.error(), OutputFormat::kText);
  PrintWarnings(boundary->warnings());
  PrintPlaces(*boundary);
  return ExitStatus::kDone;
}

ExitStatus Show(const CommonFlags& flags) {
  const Result<policy::Settings> settings = LoadSettings(flags);
  if (!settings) return ReportSetupError(settings.error(), flags.format());
  const Origins origins = OriginsOf(flags, *settings);
  const Result<guard::Boundary> boundary = OpenBoundary(*settings);
  return flags.json ? ShowJson(*settings, origins, boundary)
                    : ShowText(*settings, origins, boundary);
}

}  // namespace

void AddConfigCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& config = *app.add_subcommand("config", "What is in force, and how to say it");
  config.require_subcommand(1);
  CLI::App& show = *config.add_subcommand(
      "show", "The effective settings, where each comes from, and what was opened");
  const auto flags = std::make_shared<CommonFlags>();
  AddCommonFlags(show, *flags);
  show.callback([flags, &status] { status = Show(*flags); });
  CLI::App& schema = *config.add_subcommand("schema", "JSON Schema of the configuration file");
  schema.callback([&status] {
    std::cout << policy::ConfigSchema() << '\n';
    status = ExitStatus::kDone;
  });
}

}  // namespace cordon::cli
