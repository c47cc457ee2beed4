#include "cli/serve_drivers.h"

#include <utility>

#include "base/printable.h"
#include "base/sha256.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/companion.h"
#include "cli/report.h"
#include "provision/docker_driver.h"
#include "provision/local_driver.h"

namespace cordon::cli {
namespace {

Result<std::shared_ptr<provision::Driver>> OpenLocal(const std::string& state) {
  provision::LocalOptions options;
  options.directory = state + "/sandboxes";
  TRY_ASSIGN(options.launcher, FindLauncher());
  TRY_ASSIGN(std::unique_ptr<provision::Driver> driver,
             provision::MakeLocalDriver(std::move(options)));
  return std::shared_ptr<provision::Driver>(std::move(driver));
}

// Two servers at one engine are told apart by where they keep their state.
std::string OwnerOf(const std::string& state) {
  return "cordon-" + ToHex(Sha256(state)).substr(0, 16);
}

Result<std::shared_ptr<provision::Driver>> OpenDocker(const DriverChoices& choices,
                                                      std::string_view runtime,
                                                      const std::string& state) {
  provision::DockerSettings settings;
  settings.socket = choices.docker_socket;
  settings.runtime = runtime;
  settings.image = choices.image;
  settings.directory = state;
  settings.directory.append("/").append(runtime);
  TRY_ASSIGN(settings.tools, FindCompanion("cordon-tools"));
  settings.owner = OwnerOf(state);
  TRY_ASSIGN(std::unique_ptr<provision::Driver> driver, provision::MakeDockerDriver(settings));
  return std::shared_ptr<provision::Driver>(std::move(driver));
}

Result<std::shared_ptr<provision::Driver>> OpenDriver(const DriverChoices& choices,
                                                      std::string_view name,
                                                      const std::string& state) {
  if (name == "local") return OpenLocal(state);
  if (name == "docker+runc" || name == "docker+runsc") {
    return OpenDocker(choices, name.substr(name.find('+') + 1), state);
  }
  std::string what = "--driver: " + Quoted(name);
  return UsageError(what.append(" is no driver; local, docker+runc and docker+runsc are"));
}

}  // namespace

Result<std::vector<std::shared_ptr<provision::Driver>>> OpenDrivers(const DriverChoices& choices,
                                                                    const std::string& state) {
  std::vector<std::shared_ptr<provision::Driver>> drivers;
  for (const std::string& name : choices.names) {
    TRY_ASSIGN(std::shared_ptr<provision::Driver> driver, OpenDriver(choices, name, state));
    TRY(driver->Probe());
    drivers.push_back(std::move(driver));
  }
  return drivers;
}

}  // namespace cordon::cli
