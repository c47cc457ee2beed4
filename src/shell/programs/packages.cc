// Package managers, build tools, and what changes the system.
#include "shell/programs/options.h"
#include "shell/programs/registry.h"

namespace cordon::shell {
namespace {

enum class Does {
  kFetches,   // gets code from elsewhere and may run it
  kBuilds,    // runs code of the project
  kInstalls,  // fetches programs for the whole system
  kSystem,    // changes the system
};

struct Tool {
  std::string_view names;
  Does does;
  std::string_view local;  // subcommands that neither fetch nor run foreign code
};

constexpr Tool kTools[] = {
    {"npm pnpm yarn", Does::kFetches, "ls list root prefix bin why help version -v --version"},
    {"npx bunx pipx uvx", Does::kFetches, "--version"},
    {"pip pip3 uv poetry conda mamba pipenv", Does::kFetches,
     "list show freeze check --version help"},
    {"gem bundle bundler composer", Does::kFetches, "list --version help"},
    {"cargo rustup", Does::kFetches, "--version fmt tree metadata help"},
    {"go", Does::kFetches, "version env fmt vet list doc help"},
    {"mvn gradle gradlew sbt dotnet nuget mix", Does::kFetches, "--version"},
    {"brew snap flatpak nix nix-shell nix-env", Does::kFetches, "list info --version"},
    {"apt apt-get aptitude dnf yum zypper pacman apk dpkg rpm", Does::kInstalls,
     "list show search policy -l -L -s -S -Q --version info"},
    {"make gmake ninja cmake ctest meson bazel scons rake just task tox nox pytest jest vitest "
     "mocha tsc webpack vite rollup phpunit invoke",
     Does::kBuilds, "--version -n --dry-run"},
    {"gcc g++ cc c++ clang clang++ rustc javac ld as", Does::kBuilds, "--version"},
    {"systemctl service initctl", Does::kSystem, "status is-active is-enabled list-units show"},
    {"mount umount mkfs mkfs.ext4 mkfs.xfs mkfs.vfat fdisk parted sfdisk wipefs mkswap swapon "
     "losetup cryptsetup lvremove vgremove zpool",
     Does::kSystem, "-l --list"},
    {"shutdown reboot halt poweroff init telinit modprobe insmod rmmod sysctl iptables nft ufw "
     "setcap useradd userdel usermod groupadd passwd chpasswd visudo crontab at batch update-rc.d "
     "chsh launchctl defaults hostnamectl timedatectl ip ifconfig route",
     Does::kSystem, "-l --list addr show"},
};

const Tool& ToolNamed(std::string_view name) {
  const Tool* row = kTools;
  while (!IsOneOf(name, row->names)) ++row;
  return *row;
}

Flow RunTool(const Call& call, Interpreter& shell) {
  const Tool& row = ToolNamed(call.name);
  if (!call.arguments.empty() && call.arguments[0].exact() &&
      IsOneOf(call.arguments[0].text(), row.local)) {
    return Flow::Unknown();
  }
  Findings& findings = shell.findings();
  switch (row.does) {
    case Does::kFetches:
      shell.Connect(Word(), call.name);
      findings.DontKnow(call.name, "it fetches code and may run it", "fetches-code", Risk::kHigh);
      break;
    case Does::kBuilds: {
      const Options options = ReadOptions(
          call.arguments, "-C -f -o -j -B -S -G -D -I -L -l --file --directory --output --build");
      for (const Word& file : options.Values("-o --output")) {
        shell.Use(Access::kWrite, file, call.name);
      }
      for (const Word& file : options.Values("-f --file")) {
        shell.Use(Access::kRead, file, call.name);
      }
      for (const Word& folder : options.Values("-C -B --directory --build")) {
        shell.Use(Access::kWrite, folder, call.name, Extent::kTree);
      }
      findings.DontKnow(call.name, "what it runs and writes is decided by files", "runs-file",
                        Risk::kMedium);
      break;
    }
    case Does::kInstalls: shell.Connect(Word(), call.name); [[fallthrough]];
    case Does::kSystem:
      findings.Because(Risk::kHigh, "changes-system", call.name + " changes the system");
      findings.DontKnow(call.name, "which files it changes is not in the command line",
                        "unknown-names", Risk::kHigh);
      break;
  }
  return Flow::Unknown();
}

}  // namespace

std::vector<Family> PackagePrograms() {
  std::vector<Family> families;
  for (const Tool& row : kTools) families.push_back({row.names, RunTool});
  return families;
}

}  // namespace cordon::shell
