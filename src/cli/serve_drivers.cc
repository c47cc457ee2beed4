#include "cli/serve_drivers.h"

#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/report.h"
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

}  // namespace

Result<std::vector<std::shared_ptr<provision::Driver>>> OpenDrivers(
    const std::vector<std::string>& names, const std::string& state) {
  std::vector<std::shared_ptr<provision::Driver>> drivers;
  for (const std::string& name : names) {
    if (name != "local") return UsageError("--driver: " + Quoted(name) + " is no driver; local is");
    TRY_ASSIGN(std::shared_ptr<provision::Driver> driver, OpenLocal(state));
    TRY(driver->Probe());
    drivers.push_back(std::move(driver));
  }
  return drivers;
}

}  // namespace cordon::cli
