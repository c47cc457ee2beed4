#include "launch/environment.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace cordon::launch {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

std::optional<std::string_view> ValueOf(const std::vector<std::string>& environment,
                                        std::string_view name) {
  for (const std::string_view entry : environment) {
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') {
      return entry.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

void Set(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment,
                [&](const std::string& entry) { return entry.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

}  // namespace

std::vector<std::string> WithProxies(std::vector<std::string> environment,
                                     const ProxyPorts& ports) {
  const std::string http = "http://127.0.0.1:" + std::to_string(ports.http);
  const std::string socks = "socks5h://127.0.0.1:" + std::to_string(ports.socks);
  const std::string direct = "localhost,127.0.0.1,::1";
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy",
                           "npm_config_proxy", "npm_config_https_proxy"}) {
    Set(environment, name, http);
  }
  for (const char* name : {"ALL_PROXY", "all_proxy"}) Set(environment, name, socks);
  for (const char* name : {"NO_PROXY", "no_proxy", "npm_config_noproxy"}) {
    Set(environment, name, direct);
  }
  return environment;
}

std::vector<std::string> WithMore(std::vector<std::string> environment,
                                  const std::vector<std::string>& more) {
  for (const std::string& variable : more) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) continue;  // names nothing
    Set(environment, variable.substr(0, equals), variable.substr(equals + 1));
  }
  return environment;
}

std::vector<std::string> CandidatesFor(const std::string& program,
                                       const std::vector<std::string>& environment) {
  if (program.empty()) return {};
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> candidates;
  std::string_view path = ValueOf(environment, "PATH").value_or(kDefaultPath);
  for (;;) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string_view directory = path.substr(0, end);
    // Never looked for where the command happens to start: only absolute directories.
    if (directory.starts_with('/')) candidates.push_back(std::string(directory) + "/" + program);
    if (end == path.size()) return candidates;
    path.remove_prefix(end + 1);
  }
}

}  // namespace cordon::launch
