// Reads the configuration files and the environment into Settings.
#pragma once

#include <optional>
#include <string>

#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "cordon/result.h"
#include "policy/config.h"
#include "policy/settings.h"

namespace cordon::api {

struct SettingsSource {
  policy::Flags flags;
  std::optional<std::string> config_file;  // --config; else the XDG place, if it exists
};

// The configuration files that counted, for those who ask where a value is from.
struct SettingsFile {
  std::string name;
  policy::Config config;
};
struct SettingsFiles {
  std::optional<SettingsFile> of_operator;
  std::optional<SettingsFile> of_workspace;
};

// ALLOWED_ROOT_DIRECTORY and DATA_DIR of this process.
policy::Environment ReadEnvironment();

// Adds what guards the agent to settings.own: the state, the sockets of questions, and
// the operator's configuration (`config_file`, or the directory it is looked for in).
void ProtectOwn(policy::Settings& settings, const std::optional<std::string>& config_file);

// CORDON_RESOLVER. Errors: kInvalidArguments for anything but openat2 and walk.
Result<confine::Resolver> ResolverFromEnvironment();

// Applies `.cordon.toml` of the first root, if it is there. Read through a Root:
// a link to outside, a link to nothing, a FIFO or anything unreadable is an
// error, never passed over.
Status NarrowByWorkspaceFile(policy::Settings& settings, confine::AmbientAuthority authority,
                             SettingsFiles* files = nullptr);

// Flags, environment, the operator's file, then `.cordon.toml` of the workspace,
// which is read through a Root and can only narrow.
// Errors: kInvalidArguments with FILE:LINE:COLUMN; a file that exists and cannot
//   be read is an error, never ignored.
Result<policy::Settings> LoadSettings(const SettingsSource& source,
                                      confine::AmbientAuthority authority,
                                      SettingsFiles* files = nullptr);

}  // namespace cordon::api
