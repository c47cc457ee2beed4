#include "consent/approval_directory.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/local_socket.h"

namespace cordon::consent {
namespace {

constexpr std::string_view kReady = "ask-";
constexpr std::string_view kUnready = "new-";
constexpr std::string_view kEnding = ".sock";
constexpr std::size_t kRandomDigits = 16;
constexpr std::uint32_t kOursAlone = 0700;

Error Refused(ErrorCode code, std::string detail, std::string_view component) {
  Error error;
  error.code = code;
  error.op = "approval directory";
  error.rule = "consent";
  error.component = std::string(component);
  error.detail = std::move(detail);
  return error;
}

bool IsMadeOf(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// "ask-PID-RANDOM.sock"
bool HasForm(std::string_view name, std::string_view start) {
  if (!name.starts_with(start) || !name.ends_with(kEnding)) return false;
  name.remove_prefix(start.size());
  if (name.size() < kEnding.size()) return false;
  name.remove_suffix(kEnding.size());
  const std::size_t dash = name.find('-');
  return dash != std::string_view::npos && IsMadeOf(name.substr(0, dash), "0123456789") &&
         name.size() - dash - 1 == kRandomDigits &&
         IsMadeOf(name.substr(dash + 1), "0123456789abcdef");
}

Result<platform::HostDirectory> MakeMissing(std::string_view path) {
  if (!path.starts_with('/')) {
    return Refused(ErrorCode::kInvalidPath, "the approval directory must be an absolute path",
                   path);
  }
  TRY_ASSIGN(platform::HostDirectory reached, platform::OpenHostDirectory("/"));
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string name(path.substr(at, end - at));
    at = end + 1;
    if (name.empty()) continue;
    Result<platform::HostDirectory> next = platform::OpenHostDirectory(path.substr(0, end));
    if (!next && next.error().code == ErrorCode::kNotFound) {
      const Status made =
          platform::MakeDirectory(reached.directory.get(), name.c_str(), kOursAlone);
      if (!made && made.error().code != ErrorCode::kAlreadyExists) return made.error();
      next = platform::OpenHostDirectory(path.substr(0, end));
    }
    if (!next) return next.error();
    reached = std::move(*next);
  }
  return reached;
}

Status CheckOursAlone(int directory, std::string_view path) {
  TRY_ASSIGN(const platform::FileStat found, platform::StatDescriptor(directory));
  TRY_ASSIGN(const std::uint32_t user, platform::OwnUser());
  if (found.owner != user) {
    return Refused(ErrorCode::kPermissionDenied, "the approval directory belongs to another user",
                   path);
  }
  if ((found.mode & 077) != 0) {
    return Refused(ErrorCode::kPermissionDenied,
                   "others may enter the approval directory; its mode must be 0700", path);
  }
  return {};
}

}  // namespace

Result<ApprovalDirectory> ApprovalDirectory::Make(std::string_view path) {
  TRY_ASSIGN(platform::HostDirectory host, MakeMissing(path));
  TRY(CheckOursAlone(host.directory.get(), path));
  return ApprovalDirectory(std::move(host.directory), std::move(host.real_path));
}

Result<ApprovalDirectory> ApprovalDirectory::Open(std::string_view path) {
  TRY_ASSIGN(platform::HostDirectory host, platform::OpenHostDirectory(path));
  TRY(CheckOursAlone(host.directory.get(), path));
  return ApprovalDirectory(std::move(host.directory), std::move(host.real_path));
}

Result<std::vector<std::string>> ApprovalDirectory::Sockets() const { return Named(kReady); }

Result<std::vector<std::string>> ApprovalDirectory::Named(std::string_view start) const {
  std::vector<std::string> names;
  TRY(platform::ReadEntries(directory_.get(),
                            [&](std::string_view name, platform::FileType /*type*/) {
                              if (HasForm(name, start)) names.emplace_back(name);
                              return platform::ReadMore::kYes;
                            }));
  std::erase_if(names, [this](const std::string& name) { return !IsSocket(name); });
  return names;
}

// A link to one is none: what is behind it may be anybody's.
bool ApprovalDirectory::IsSocket(const std::string& name) const {
  const auto found = platform::StatEntry(directory_.get(), name.c_str());
  return found && found->type == platform::FileType::kSocket;
}

Result<std::string> ApprovalDirectory::PathOf(const std::string& name) const {
  std::string path = path_ + "/" + name;
  if (path.size() > kMaxSocketPath) {
    return Refused(ErrorCode::kInvalidPath,
                   "the path of the approval directory is too long: a socket in it would have " +
                       std::to_string(path.size()) + " bytes, and " +
                       std::to_string(kMaxSocketPath) + " is the most there can be",
                   path_);
  }
  return path;
}

Result<ApprovalDirectory::NewNames> ApprovalDirectory::MakeNames() {
  constexpr std::string_view kHex = "0123456789abcdef";
  TRY_ASSIGN(const std::uint32_t process, platform::OwnProcess());
  std::string rest = std::to_string(process) + "-";
  std::uint64_t number = platform::RandomNumber();
  for (std::size_t digit = 0; digit < kRandomDigits; ++digit, number >>= 4) {
    rest += kHex[number & 15];
  }
  rest += kEnding;
  return NewNames{std::string(kUnready) + rest, std::string(kReady) + rest};
}

Status ApprovalDirectory::Publish(const NewNames& names) const {
  TRY_ASSIGN(const platform::FileStat bound,
             platform::StatEntry(directory_.get(), names.unready.c_str()));
  TRY_ASSIGN(const std::uint32_t user, platform::OwnUser());
  if (bound.type != platform::FileType::kSocket || bound.owner != user || (bound.mode & 077) != 0) {
    return Refused(ErrorCode::kPermissionDenied, "the socket is not ours alone", path_);
  }
  return platform::RenameEntry(directory_.get(), names.unready.c_str(), directory_.get(),
                               names.ready.c_str());
}

Status ApprovalDirectory::Remove(const std::string& name) const {
  if ((!HasForm(name, kReady) && !HasForm(name, kUnready)) || !IsSocket(name)) {
    return Refused(ErrorCode::kInvalidArguments, "not an approval socket", name);
  }
  return platform::RemoveFile(directory_.get(), name.c_str());
}

void ApprovalDirectory::RemoveAbandoned() const {
  using std::chrono::system_clock;
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch());
  const Result<std::vector<std::string>> unready = Named(kUnready);
  if (!unready) return;
  for (const std::string& name : *unready) {
    const auto found = platform::StatEntry(directory_.get(), name.c_str());
    if (found && now - std::chrono::nanoseconds(found->modified_ns) > std::chrono::minutes(1)) {
      static_cast<void>(Remove(name));
    }
  }
}

}  // namespace cordon::consent
