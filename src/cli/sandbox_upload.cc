// From this machine into a sandbox.
#include <array>
#include <cstdio>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/report.h"
#include "cli/sandbox_copy.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/inherited.h"
#include "remote/url_text.h"
#include "serve/tar.h"

namespace cordon::cli {
namespace {

using confine::Root;
using platform::FileType;

constexpr std::uint64_t kMostBody = std::uint64_t{64} << 20;  // the server's
constexpr std::uint64_t kMostFile = kMostBody - (64 << 10);   // with its description
constexpr std::size_t kFullBatch = std::size_t{16} << 20;     // sent once it has so many bytes
constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

Error TooLarge(const std::string& path) {
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "cp";
  error.detail = Quoted(path) +
                 " is larger than the 64 MiB that the server takes at once; split it, and put it "
                 "together inside";
  return error;
}

std::string ArchiveOf(const SandboxPath& place) {
  return "/v1/sandboxes/" + place.sandbox + "/archive/" + remote::UrlPath(place.path);
}

std::string FileOf(const SandboxPath& place) {
  return "/v1/sandboxes/" + place.sandbox + "/files/" + remote::UrlPath(place.path);
}

// `whole` piece by piece; it must live as long.
net::HttpPieces PiecesOf(const std::string& whole, Progress& progress, std::uint64_t before) {
  return [&whole, &progress, before,
          at = std::size_t{0}]() mutable -> Result<std::optional<std::string>> {
    if (at == whole.size()) return std::optional<std::string>();
    std::string piece = whole.substr(at, kPiece);
    at += piece.size();
    progress.Tell(SizeText(before + at));
    return std::optional<std::string>(std::move(piece));
  };
}

Result<Copied> UploadFile(const remote::ApiClient& client, platform::UniqueFd file,
                          const std::string& from, const SandboxPath& to, Progress& progress) {
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file.get()));
  if (stat.size > kMostBody) return TooLarge(from);
  auto whole = platform::ReadWhole(file.get(), kMostBody);
  if (!whole && whole.error().code == ErrorCode::kTooLarge) return TooLarge(from);
  if (!whole) return std::move(whole.error());
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%03o", stat.mode & 0777U);
  TRY(client.Put(FileOf(to) + "?mode=" + mode.data(), PiecesOf(*whole, progress, 0)));
  return Copied{1, whole->size(), {}};
}

// Archives of a directory, one after the other.
class Parcels {
 public:
  Parcels(const remote::ApiClient& client, SandboxPath to, Progress& progress)
      : client_(client), to_(std::move(to)), progress_(progress) {}

  Status Add(const Root& root, const serve::TarEntry& entry) {
    serve::TarEntry described = entry;
    std::string content;
    if (entry.type == serve::TarEntry::Type::kFile) {
      if (entry.size > kMostFile) return TooLarge(entry.name);
      auto file = root.Open(entry.name, confine::OpenMode::kRead);
      if (!file) return LeaveOut(entry.name, file.error());
      auto read = file->ReadAll(kMostFile);
      if (!read && read.error().code == ErrorCode::kTooLarge) return TooLarge(entry.name);
      if (!read) return LeaveOut(entry.name, read.error());
      content = std::move(*read);
      described.size = content.size();
      ++copied_.files;
    } else if (entry.type == serve::TarEntry::Type::kLink) {
      auto target = root.ReadLink(entry.name);
      if (!target) return LeaveOut(entry.name, target.error());
      described.target = std::move(*target);
    }
    if (batch_.size() + content.size() > kMostFile) TRY(Send());
    batch_ += serve::TarHeader(described);
    batch_ += content;
    batch_ += serve::TarPadding(content.size());
    copied_.bytes += content.size();
    return batch_.size() >= kFullBatch ? Send() : Status();
  }
  Result<Copied> Finish() {
    TRY(Send());
    return std::move(copied_);
  }

 private:
  Status LeaveOut(const std::string& name, const Error& error) {
    const std::string why =
        error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
    copied_.left_out.push_back(Quoted(name) + ": " + why);
    return {};
  }
  Status Send() {
    if (batch_.empty()) return {};
    batch_ += serve::TarEnd();
    TRY(client_.Put(ArchiveOf(to_), PiecesOf(batch_, progress_, sent_)));
    sent_ += batch_.size();
    batch_.clear();
    return {};
  }

  const remote::ApiClient& client_;
  const SandboxPath to_;
  Progress& progress_;
  std::string batch_;
  std::uint64_t sent_ = 0;
  Copied copied_;
};

Result<std::vector<serve::TarEntry>> EntriesOf(const Root& root, std::vector<std::string>& odd) {
  std::vector<serve::TarEntry> entries;
  serve::TarEntry top;
  top.type = serve::TarEntry::Type::kDirectory;
  top.name = ".";
  top.mode = 0755;
  entries.push_back(top);
  TRY(root.Walk(".", {}, [&](const confine::WalkEntry& found) {
    serve::TarEntry entry;
    entry.name = found.path;
    entry.mode = found.stat.mode & 0777;
    entry.modified = found.stat.modified_ns / kNsPerSecond;
    switch (found.stat.type) {
      case FileType::kRegular: entry.size = found.stat.size; break;
      case FileType::kDirectory: entry.type = serve::TarEntry::Type::kDirectory; break;
      case FileType::kSymlink: entry.type = serve::TarEntry::Type::kLink; break;
      default:
        odd.push_back(Quoted(entry.name) + ": neither a file, a directory nor a link");
        return confine::WalkStep::kContinue;
    }
    entries.push_back(std::move(entry));
    return confine::WalkStep::kContinue;
  }));
  return entries;
}

Result<Copied> UploadTree(const remote::ApiClient& client, const Root& root, const SandboxPath& to,
                          Progress& progress) {
  std::vector<std::string> odd;
  TRY_ASSIGN(const std::vector<serve::TarEntry> entries, EntriesOf(root, odd));
  Parcels parcels(client, to, progress);
  for (const serve::TarEntry& entry : entries) TRY(parcels.Add(root, entry));
  TRY_ASSIGN(Copied copied, parcels.Finish());
  copied.left_out.insert(copied.left_out.begin(), odd.begin(), odd.end());
  return copied;
}

std::string Joined(const std::string& directory, const std::string& name) {
  if (name.empty()) return directory;
  if (directory.empty() || directory.ends_with('/')) return directory + name;
  return directory + "/" + name;
}

}  // namespace

Result<Copied> Upload(const remote::ApiClient& client, const std::string& from,
                      const SandboxPath& to, Progress& progress) {
  TRY_ASSIGN(const PathKind kind, KindOf(client, to));
  SandboxPath target = to;
  const bool into = kind == PathKind::kDirectory || to.path.ends_with('/');
  if (into) target.path = Joined(to.path, LastName(from));
  confine::RootOptions options;
  options.hard_links = policy::HardLinks::kReadOnly;
  options.mounts = policy::Mounts::kAllow;
  options.access = confine::RootAccess::kReadOnly;
  const auto root = Root::OpenAmbient(from, options, confine::AmbientAuthority::OfThisProcess());
  if (root) return UploadTree(client, *root, target, progress);
  if (root.error().code != ErrorCode::kNotADirectory) {
    return UsageError(Quoted(from) + ": " + root.error().detail);
  }
  auto file = platform::OpenHostFile(from);
  if (!file) return UsageError(Quoted(from) + ": " + file.error().detail);
  return UploadFile(client, std::move(*file), from, target, progress);
}

std::string SizeText(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text.data();
}

std::string LastName(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return "";
  const std::size_t slash = path.find_last_of('/', end);
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  std::string name = path.substr(begin, end + 1 - begin);
  return name == "." || name == ".." ? std::string() : name;
}

}  // namespace cordon::cli
