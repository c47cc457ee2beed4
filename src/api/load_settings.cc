#include "api/load_settings.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "api/state_place.h"
#include "base/printable.h"
#include "base/try.h"
#include "policy/config.h"

namespace cordon::api {
namespace {

// A configuration larger than this is a mistake or an attack on the parser.
constexpr std::size_t kMaxConfigBytes = 1024 * 1024;
constexpr std::string_view kWorkspaceFile = ".cordon.toml";

std::optional<std::string> Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

Error Unreadable(std::string_view file, const Error& cause) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.violation = cause.violation;
  error.op = "config";
  error.os_errno = cause.os_errno;
  error.rule = "config";
  error.component = file;
  error.detail = std::string(file) + ": cannot be read: ";
  error.detail += cause.detail.empty() ? std::string(ErrorCodeName(cause.code)) : cause.detail;
  return error;
}

Error LeadsNowhere(std::string_view file) {
  Error cause;
  cause.code = ErrorCode::kNotFound;
  cause.violation = Violation::kNone;
  cause.detail = "it is a link to nothing";
  return Unreadable(file, cause);
}

// The directory part of an operator's file, and its name.
struct Place {
  std::string directory;
  std::string name;
};

// $XDG_CONFIG_HOME counts only when absolute, as its specification says.
std::optional<Place> DefaultConfigPlace() {
  std::optional<std::string> base = Variable("XDG_CONFIG_HOME");
  if (!base || base->front() != '/') {
    base = Variable("HOME");
    if (!base) return std::nullopt;
    *base += "/.config";
  }
  return Place{*base + "/cordon", "config.toml"};
}

// True if `name` is there as an entry of any kind, whatever it leads to.
bool EntryExists(const confine::Root& root, std::string_view name) {
  const auto stat = root.Stat(name, confine::FinalSymlink::kNoFollow);
  return stat.has_value() || stat.error().code != ErrorCode::kNotFound;
}

Result<std::optional<std::string>> ReadOperatorText(const SettingsSource& source,
                                                    std::string& file_name,
                                                    confine::AmbientAuthority authority) {
  if (source.config_file) {
    file_name = *source.config_file;
    auto text = confine::ReadAmbientFile(file_name, kMaxConfigBytes, authority);
    if (!text) return Unreadable(file_name, text.error());
    return std::optional<std::string>(std::move(*text));
  }
  const std::optional<Place> place = DefaultConfigPlace();
  if (!place) return std::optional<std::string>();
  file_name = place->directory + "/" + place->name;
  auto text = confine::ReadAmbientFile(file_name, kMaxConfigBytes, authority);
  if (text) return std::optional<std::string>(std::move(*text));
  if (text.error().code != ErrorCode::kNotFound) return Unreadable(file_name, text.error());
  // Missing is fine; a link to something missing was meant to say something.
  auto directory = confine::Root::OpenAmbient(place->directory, {}, authority);
  if (directory && EntryExists(*directory, place->name)) return LeadsNowhere(file_name);
  return std::optional<std::string>();
}

// Opens the directory whose `.cordon.toml` counts; none where the profile will
// refuse to start without a root, or allows everything.
enum class Through { kNoRules, kDenyRules };
Result<std::optional<confine::Root>> OpenWorkspace(const policy::Settings& settings,
                                                   Through through,
                                                   confine::AmbientAuthority authority) {
  const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
  std::string directory;
  if (!settings.roots.empty()) {
    directory = settings.roots.front();
  } else if (rules.missing_root == policy::MissingRoot::kCurrentDirectory) {
    directory = ".";
  } else {
    return std::optional<confine::Root>();
  }
  confine::RootOptions options;
  options.hard_links = rules.hard_links;
  options.mounts = rules.mounts;
  options.access = confine::RootAccess::kReadOnly;
  TRY_ASSIGN(options.resolver, ResolverFromEnvironment());
  if (through == Through::kDenyRules) {
    TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(settings.deny));
    options.deny = std::make_shared<const policy::DenyList>(std::move(list));
  }
  auto root = confine::Root::OpenAmbient(directory, std::move(options), authority);
  if (!root) {
    Error error = std::move(root.error());
    error.detail = "cannot use " + Quoted(directory) + " as a root: " +
                   (error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail);
    if (error.code == ErrorCode::kNotFound) error.detail += "; make it first, or name another";
    return error;
  }
  return std::optional<confine::Root>(std::move(*root));
}

// The file is untrusted content: it is reached as an agent's path would be.
Result<std::optional<std::string>> ReadWorkspaceText(const confine::Root& root,
                                                     std::string_view file_name) {
  auto file = root.Open(kWorkspaceFile, confine::OpenMode::kRead);
  if (!file) {
    if (file.error().code != ErrorCode::kNotFound) return Unreadable(file_name, file.error());
    if (EntryExists(root, kWorkspaceFile)) return LeadsNowhere(file_name);
    return std::optional<std::string>();
  }
  auto text = file->ReadAll(kMaxConfigBytes);
  if (!text) return Unreadable(file_name, text.error());
  return std::optional<std::string>(std::move(*text));
}

}  // namespace

policy::Environment ReadEnvironment() {
  return {Variable("ALLOWED_ROOT_DIRECTORY"), Variable("DATA_DIR")};
}

void ProtectOwn(policy::Settings& settings, const std::optional<std::string>& config_file) {
  using From = policy::Protected::From;
  if (const auto place = FindStatePlace(std::nullopt)) {
    settings.own.push_back({place->directory, From::kEverything});
    settings.own.push_back({place->approval_directory, From::kEverything});
  }
  if (const std::optional<Place> place = DefaultConfigPlace()) {
    settings.own.push_back({place->directory, From::kChanges});
  }
  if (config_file && config_file->starts_with('/')) {
    settings.own.push_back({*config_file, From::kChanges});
  } else if (config_file) {
    const auto here =
        confine::Root::OpenAmbient(".", {}, confine::AmbientAuthority::OfThisProcess());
    if (here) settings.own.push_back({here->real_path() + "/" + *config_file, From::kChanges});
  }
}

Result<confine::Resolver> ResolverFromEnvironment() {
  const std::optional<std::string> name = Variable("CORDON_RESOLVER");
  if (!name) return confine::Resolver::kAuto;
  if (*name == "openat2") return confine::Resolver::kOpenat2;
  if (*name == "walk") return confine::Resolver::kWalk;
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "environment";
  error.component = "CORDON_RESOLVER";
  error.detail = "CORDON_RESOLVER is " + Quoted(*name) + "; it can be openat2 or walk";
  return error;
}

Status NarrowByWorkspaceFile(policy::Settings& settings, confine::AmbientAuthority authority,
                             SettingsFiles* files) {
  TRY_ASSIGN(std::optional<confine::Root> root,
             OpenWorkspace(settings, Through::kNoRules, authority));
  if (!root) return {};
  // A rule may cover the file itself, which counts all the same. A link could make
  // an error message quote what a rule covers.
  const auto stat = root->Stat(kWorkspaceFile, confine::FinalSymlink::kNoFollow);
  if (stat && stat->type == platform::FileType::kSymlink) {
    TRY_ASSIGN(root, OpenWorkspace(settings, Through::kDenyRules, authority));
  }
  std::string file_name = root->real_path();
  if (!file_name.ends_with('/')) file_name += '/';
  file_name += kWorkspaceFile;
  TRY_ASSIGN(std::optional<std::string> text, ReadWorkspaceText(*root, file_name));
  if (!text) return {};
  TRY_ASSIGN(policy::Config config,
             policy::ParseConfig(*text, file_name, policy::ConfigScope::kWorkspace));
  TRY(policy::Narrow(settings, config));
  if (files != nullptr) files->of_workspace = {std::move(file_name), std::move(config)};
  return {};
}

Result<policy::Settings> LoadSettings(const SettingsSource& source,
                                      confine::AmbientAuthority authority, SettingsFiles* files) {
  std::string file_name;
  TRY_ASSIGN(std::optional<std::string> text, ReadOperatorText(source, file_name, authority));
  policy::Config operator_config;
  if (text) {
    TRY_ASSIGN(operator_config,
               policy::ParseConfig(*text, file_name, policy::ConfigScope::kOperator));
  }
  TRY_ASSIGN(policy::Settings settings,
             policy::Merge(source.flags, ReadEnvironment(), operator_config));
  ProtectOwn(settings, source.config_file);
  TRY(NarrowByWorkspaceFile(settings, authority, files));
  if (files != nullptr && text) {
    files->of_operator = {std::move(file_name), std::move(operator_config)};
  }
  return settings;
}

}  // namespace cordon::api
