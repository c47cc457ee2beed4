#include "provision/local_home.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/inherited.h"
#include "platform/open.h"
#include "platform/private_file.h"
#include "provision/disk_hold.h"
#include "provision/fault_point.h"
#include "provision/remove_tree.h"

namespace cordon::provision {
namespace {

using platform::OpenIntent;
using platform::PrivateAccess;
using platform::UniqueFd;

constexpr std::uint32_t kOwn = 0700;
constexpr const char* kMarker = "marker";
constexpr const char* kNewMarker = "marker.new";
constexpr const char* kLog = "log";
constexpr std::size_t kMostMarker = 64UL * 1024;
constexpr std::uint64_t kMostLog = 1UL << 20U;
constexpr std::uint64_t kMuchTooLong = 16 * kMostLog;
constexpr std::size_t kEndOfLog = 16UL * 1024;
constexpr double kThousandths = 1000;
constexpr int kRemoveTries = 5;

std::string Text(const Marker& marker) {
  const auto line = [](std::string_view key, const std::string& value) {
    return std::string(key) + " " + value + "\n";
  };
  const Resources& resources = marker.resources;
  std::string text = line("state", marker.making == Found::Making::kFinished ? "ready" : "making");
  text += line("network", marker.network);
  text += line("memory", std::to_string(resources.memory));
  text += line("processes", std::to_string(resources.processes));
  text += line("disk", std::to_string(resources.disk));
  text +=
      line("processors", std::to_string(static_cast<std::uint64_t>(resources.cpus * kThousandths)));
  return text + "end\n";
}

// What was cut off while it was written is half done.
Marker Parse(std::string_view text) {
  std::map<std::string_view, std::string_view> values;
  bool whole = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t space = std::min(line.find(' '), line.size());
    if (line == "end") whole = true;
    values[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto number = [&values](std::string_view key) {
    std::uint64_t value = 0;
    const std::string_view digits = values[key];
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  Marker marker;
  if (!whole) return marker;
  if (values["state"] == "ready") marker.making = Found::Making::kFinished;
  marker.network = std::string(values["network"]);
  marker.resources.memory = number("memory");
  marker.resources.processes = number("processes");
  marker.resources.disk = number("disk");
  marker.resources.cpus = static_cast<double>(number("processors")) / kThousandths;
  return marker;
}

}  // namespace

Result<LocalHomes> LocalHomes::Open(const std::string& path) {
  TRY_ASSIGN(UniqueFd directory,
             platform::OpenStateDirectory(path, platform::MissingDirectory::kMake));
  return LocalHomes(path, std::move(directory));
}

Result<UniqueFd> LocalHomes::Enter(const SandboxId& id) const {
  return platform::OpenEntry(directory_.get(), id.text().c_str(), OpenIntent::kListDirectory);
}

Status LocalHomes::Make(const SandboxId& id, const Marker& marker) const {
  TRY(platform::MakeDirectory(directory_.get(), id.text().c_str(), kOwn));
  FaultPoint("home.begun");
  TRY_ASSIGN(const UniqueFd home, Enter(id));
  // Without one it is watched.
  static_cast<void>(SetDiskQuota(home.get(), MostOf(DiskOf(marker.resources))));
  TRY(Write(id, marker));
  FaultPoint("home.marked");
  TRY(platform::MakeDirectory(home.get(), "workspace", kOwn));
  TRY(platform::MakeDirectory(home.get(), "control", kOwn));
  TRY_ASSIGN(const UniqueFd control,
             platform::OpenEntry(home.get(), "control", OpenIntent::kListDirectory));
  ExemptFromQuota(control.get());  // how it ended is written down, however full it is
  return {};
}

Status LocalHomes::Write(const SandboxId& id, const Marker& marker) const {
  TRY_ASSIGN(const UniqueFd home, Enter(id));
  // One left by somebody who was killed.
  static_cast<void>(platform::RemoveFile(home.get(), kNewMarker));
  TRY_ASSIGN(const UniqueFd file,
             platform::OpenPrivateFile(home.get(), kNewMarker, PrivateAccess::kCreateExclusive));
  TRY(platform::WriteAll(file.get(), Text(marker)));
  return platform::RenameEntry(home.get(), kNewMarker, home.get(), kMarker);
}

Result<Marker> LocalHomes::Read(const SandboxId& id) const {
  TRY_ASSIGN(const UniqueFd home, Enter(id));
  const auto file = platform::OpenPrivateFile(home.get(), kMarker, PrivateAccess::kRead);
  if (!file) return Marker{};
  const auto text = platform::ReadWhole(file->get(), kMostMarker);
  return text ? Parse(*text) : Marker{};
}

Result<std::vector<SandboxId>> LocalHomes::All() const {
  std::vector<SandboxId> all;
  TRY(platform::ReadEntries(directory_.get(), [&all](std::string_view name, auto) {
    if (auto id = SandboxId::Parse(name)) all.push_back(std::move(*id));
    return platform::ReadMore::kYes;
  }));
  std::sort(all.begin(), all.end());
  return all;
}

Status LocalHomes::Remove(const SandboxId& id) const {
  // First: by way of the directory it is found again, whoever is killed here.
  if (const auto home = Enter(id)) TRY(ClearDiskQuota(home->get()));
  Status removed;
  // Processes that were killed with their launcher may still be on their way out.
  for (int attempt = 0; attempt < kRemoveTries; ++attempt) {
    removed = RemoveTree(directory_.get(), id.text().c_str());
    if (removed || removed.error().code != ErrorCode::kAlreadyExists) break;
  }
  return removed;
}

Result<UniqueFd> LocalHomes::OpenLog(const SandboxId& id) const {
  TRY_ASSIGN(const UniqueFd home, Enter(id));
  TRY_ASSIGN(UniqueFd log, platform::OpenEntry(home.get(), kLog, OpenIntent::kAppend));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(log.get()));
  if (stat.size > kMostLog) TRY(platform::Truncate(log.get(), 0));
  return log;
}

void LocalHomes::AddToLog(const SandboxId& id, const std::string& line) const {
  const auto log = OpenLog(id);
  if (log) static_cast<void>(platform::WriteAll(log->get(), line));
}

std::string LocalHomes::EndOfLog(const SandboxId& id) const {
  const auto home = Enter(id);
  if (!home) return {};
  const auto log = platform::OpenEntry(home->get(), kLog, OpenIntent::kRead);
  if (!log) return {};
  const auto stat = platform::StatDescriptor(log->get());
  if (!stat) return {};
  std::string text(kEndOfLog, '\0');
  const std::uint64_t from = stat->size > kEndOfLog ? stat->size - kEndOfLog : 0;
  const auto size = platform::ReadAt(log->get(), from, text);
  text.resize(size ? *size : 0);
  return text;
}

Status LocalHomes::TrimLog(const SandboxId& id) const {
  TRY_ASSIGN(const UniqueFd home, Enter(id));
  const auto found = platform::StatEntry(home.get(), kLog);
  if (!found || found->size <= kMuchTooLong) return {};
  const std::string end = EndOfLog(id);
  TRY_ASSIGN(const UniqueFd log, platform::OpenEntry(home.get(), kLog, OpenIntent::kAppend));
  TRY(platform::Truncate(log.get(), 0));
  return platform::WriteAll(log.get(), end);
}

}  // namespace cordon::provision
