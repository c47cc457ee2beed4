// cordon hook install, uninstall: the agent's settings, changed only after they were shown.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/hook_flags.h"
#include "confine/ambient_authority.h"
#include "confine/ambient_paths.h"
#include "confine/root.h"
#include "hook/settings.h"
#include "tools/diff.h"

namespace cordon::cli {
namespace {

using confine::AmbientAuthority;
using hook::Present;
using hook::Wanted;

constexpr std::size_t kLargestFile = std::size_t{4} << 20;

// The settings of one agent below a home or a project. Reached through a Root, so that a
// link which leads out of it is refused.
struct Place {
  confine::Root root;
  std::string file;       // below the root
  std::string directory;  // of the file
  std::string full() const { return root.real_path() + "/" + file; }
};

Result<Place> FindPlace(const HookInstallFlags& flags, hook::Agent agent) {
  if (flags.user && flags.project) return UsageError("--user and --project exclude each other");
  std::string base;
  if (flags.project) {
    base = *flags.project;
  } else {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') return UsageError("HOME does not name a directory");
    base = home;
  }
  confine::RootOptions options;
  options.mounts = policy::Mounts::kAllow;
  options.hard_links = policy::HardLinks::kReadOnly;
  auto root =
      confine::Root::OpenAmbient(base, std::move(options), AmbientAuthority::OfThisProcess());
  if (!root) {
    Error error = std::move(root.error());
    error.detail = Quoted(base) + " cannot be used: " +
                   (error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail);
    return error;
  }
  const std::string file(hook::SettingsFileOf(agent));
  return Place{std::move(*root), file, file.substr(0, file.find('/'))};
}

Error At(const Place& place, Error error) {
  const std::string said =
      error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
  error.detail = place.full() + ": " + said;
  return error;
}

Result<Present> Read(const Place& place) {
  Present present;
  const auto directory = place.root.Stat(place.directory, confine::FinalSymlink::kFollow);
  if (!directory) {
    if (directory.error().code != ErrorCode::kNotFound) return At(place, directory.error());
    present.directory = Present::Directory::kMissing;
    return present;
  }
  auto file = place.root.Open(place.file, confine::OpenMode::kRead);
  if (!file) {
    if (file.error().code != ErrorCode::kNotFound) return At(place, file.error());
    return present;
  }
  auto text = file->ReadAll(kLargestFile);
  if (!text) return At(place, text.error());
  present.text = std::move(*text);
  return present;
}

Status Write(const Place& place, const Present& present, const Wanted& wanted) {
  if (!wanted.text) {
    TRY(place.root.Remove(place.file));
    if (wanted.directory == Present::Directory::kMissing) {
      // Somebody may have put something there since; then it stays.
      static_cast<void>(place.root.Remove(place.directory));
    }
    return {};
  }
  if (present.directory == Present::Directory::kMissing) {
    TRY(place.root.Mkdir(place.directory));
  }
  TRY_ASSIGN(confine::Replacement replacement, place.root.Replace(place.file));
  TRY(replacement.Write(*wanted.text));
  return replacement.Commit();
}

enum class Agreement { kYes, kNo };
Agreement AskPerson(const HookInstallFlags& flags) {
  if (flags.yes) return Agreement::kYes;
  std::cout << "Write this? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes" ? Agreement::kYes : Agreement::kNo;
}

// Lines of a file somebody else wrote: what steers a terminal is escaped.
void PrintDiff(const Place& place, const Present& present, const Wanted& wanted) {
  const std::string name = place.full();
  const std::string diff =
      tools::UnifiedDiff(present.text.value_or(""), wanted.text.value_or(""),
                         present.text ? name : "/dev/null", wanted.text ? name : "/dev/null");
  std::string_view rest = diff;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::cout << Printable(rest.substr(0, end), kMaxSentenceBytes) << '\n';
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
}

using Change = std::function<Result<Wanted>(const Present&)>;

Result<ExitStatus> Apply(const HookInstallFlags& flags, hook::Agent agent, const Change& change) {
  TRY_ASSIGN(const Place place, FindPlace(flags, agent));
  TRY_ASSIGN(const Present present, Read(place));
  Result<Wanted> wanted = change(present);
  if (!wanted) return At(place, std::move(wanted.error()));
  if (wanted->text == present.text) {
    std::cout << "nothing to change in " << Printable(place.full(), kMaxSentenceBytes) << '\n';
    return ExitStatus::kDone;
  }
  PrintDiff(place, present, *wanted);
  if (AskPerson(flags) == Agreement::kNo) {
    std::cout << "nothing was changed\n";
    return ExitStatus::kRefused;
  }
  if (Status written = Write(place, present, *wanted); !written) {
    return At(place, std::move(written.error()));
  }
  std::cout << (wanted->text ? "written: " : "removed: ")
            << Printable(place.full(), kMaxSentenceBytes) << '\n';
  return ExitStatus::kDone;
}

ExitStatus Report(const Result<ExitStatus>& done) {
  return done ? *done : ReportSetupError(done.error(), OutputFormat::kText);
}

Result<std::string> ProgramOf(const HookInstallFlags& flags) {
  std::string program = flags.program.value_or("");
  if (!flags.program) {
    TRY_ASSIGN(program, confine::AmbientOwnProgram(AmbientAuthority::OfThisProcess()));
  }
  if (!program.starts_with('/')) {
    return UsageError("--program: " + Quoted(program) + " is not an absolute path");
  }
  // By this it is found again.
  if (!program.substr(program.rfind('/') + 1).starts_with("cordon")) {
    return UsageError("--program: the name of " + Quoted(program) + " does not begin with cordon");
  }
  return program;
}

Result<ExitStatus> InstallHook(const HookInstallFlags& flags) {
  hook::Installation installation;
  TRY_ASSIGN(installation.agent, ParseAgentFlag(flags.hook.agent));
  TRY_ASSIGN(installation.program, ProgramOf(flags));
  TRY_ASSIGN(installation.arguments, ArgumentsOf(flags.hook));
  return Apply(flags, installation.agent, [&installation](const Present& present) {
    return hook::Install(installation, present);
  });
}

Result<ExitStatus> UninstallHook(const HookInstallFlags& flags) {
  TRY_ASSIGN(const hook::Agent agent, ParseAgentFlag(flags.hook.agent));
  return Apply(flags, agent,
               [agent](const Present& present) { return hook::Uninstall(agent, present); });
}

}  // namespace

ExitStatus RunHookInstall(const HookInstallFlags& flags) { return Report(InstallHook(flags)); }

ExitStatus RunHookUninstall(const HookInstallFlags& flags) { return Report(UninstallHook(flags)); }

}  // namespace cordon::cli
