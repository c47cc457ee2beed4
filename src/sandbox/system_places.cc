#include "sandbox/system_places.h"

#include <algorithm>
#include <array>

#include "platform/host.h"

namespace cordon::sandbox {
namespace {

constexpr std::array<std::string_view, 14> kSystem = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
    "/run/current-system",
    "/sys/devices/system",
};

// Below the home: what version managers and package managers put there, without what holds
// their tokens.
constexpr std::array<std::string_view, 26> kTools = {
    ".asdf",
    ".bun/bin",
    ".cargo/bin",
    ".cargo/registry",
    ".config/git",
    ".deno/bin",
    ".fnm",
    ".gitconfig",
    ".gitignore",
    ".juliaup",
    ".local/bin",
    ".local/lib",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/uv",
    ".npm-global",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".sdkman",
    ".volta",
    "go/bin",
    "go/pkg",
    "miniconda3",
    "miniforge3",
};

constexpr std::array<std::string_view, 10> kSecrets = {
    "/etc/shadow",      "/etc/shadow-",     "/etc/gshadow",
    "/etc/gshadow-",    "/etc/sudoers",     "/etc/sudoers.d",
    "/etc/ssl/private", "/etc/krb5.keytab", "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
};

bool Exists(const std::string& path) {
  const auto directory = platform::OpenHostDirectory(path);
  if (directory) return true;
  return directory.error().code != ErrorCode::kNotFound && platform::OpenHostFile(path).has_value();
}

bool IsBelow(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() + 1 && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

void AddIfThere(std::vector<Place>& places, std::string path) {
  const bool known = std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.path == path || IsBelow(path, place.path);
  });
  if (!known && Exists(path)) places.push_back({std::move(path), Place::Access::kRead});
}

}  // namespace

std::vector<Place> SystemPlaces(std::string_view home, std::string_view search_path) {
  std::vector<Place> places;
  for (const std::string_view path : kSystem) AddIfThere(places, std::string(path));
  if (home.empty() || home == "/") return places;
  for (const std::string_view tool : kTools) {
    AddIfThere(places, std::string(home) + "/" + std::string(tool));
  }
  while (!search_path.empty()) {
    const std::size_t end = std::min(search_path.find(':'), search_path.size());
    const std::string_view directory = search_path.substr(0, end);
    if (IsBelow(directory, home)) AddIfThere(places, std::string(directory));
    search_path.remove_prefix(std::min(end + 1, search_path.size()));
  }
  return places;
}

std::vector<std::string> Existing(std::vector<std::string> paths) {
  std::erase_if(paths, [](const std::string& path) { return !Exists(path); });
  return paths;
}

std::vector<std::string> SystemSecrets() { return Existing({kSecrets.begin(), kSecrets.end()}); }

}  // namespace cordon::sandbox
