// Whole trees, as tar archives.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"
#include "serve/file_place.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "serve/tar.h"

namespace cordon::serve {
namespace {

using platform::FileType;
using policy::ToolKind;

constexpr std::size_t kMostEntries = 200'000;
constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::string_view kTar = "application/x-tar";

std::string Joined(const std::string& base, std::string_view name) {
  std::string path = base;
  if (!path.ends_with('/')) path += '/';
  path += name;
  return path;
}

Result<std::vector<TarEntry>> Collect(FilePlace& place) {
  std::vector<TarEntry> entries;
  confine::WalkLimits limits;
  limits.max_entries = kMostEntries;
  TRY(place.guard->Walk(FileCall(ToolKind::kRead), place.path, limits,
                        [&](const confine::WalkEntry& found) {
                          TarEntry entry;
                          entry.name = found.path;
                          entry.mode = found.stat.mode & 0777;
                          entry.modified = found.stat.modified_ns / kNsPerSecond;
                          switch (found.stat.type) {
                            case FileType::kRegular: break;
                            case FileType::kDirectory:
                              entry.type = TarEntry::Type::kDirectory;
                              break;
                            case FileType::kSymlink: entry.type = TarEntry::Type::kLink; break;
                            default: return confine::WalkStep::kContinue;
                          }
                          entries.push_back(std::move(entry));
                          return confine::WalkStep::kContinue;
                        }));
  return entries;
}

enum class Sent { kYes, kClientGone };

// Exactly as many bytes as its header says, whatever happens to the file meanwhile.
Result<Sent> SendFile(const confine::File& file, TarEntry entry, const Reply& reply) {
  TRY_ASSIGN(const platform::FileStat stat, file.Stat());
  entry.size = stat.size;
  if (!reply->Write(TarHeader(entry))) return Sent::kClientGone;
  std::uint64_t offset = 0;
  while (offset < stat.size) {
    std::string piece(std::min<std::uint64_t>(kPiece, stat.size - offset), '\0');
    const auto got = file.ReadAt(offset, piece);
    if (got && *got > 0) piece.resize(*got);
    offset += piece.size();
    if (!reply->Write(std::move(piece))) return Sent::kClientGone;
  }
  if (const std::string padding = TarPadding(stat.size); !padding.empty()) {
    if (!reply->Write(padding)) return Sent::kClientGone;
  }
  return Sent::kYes;
}

// What cannot be read, or leads out, is left out.
Result<Sent> SendEntry(FilePlace& place, TarEntry entry, const Reply& reply) {
  const std::string path = Joined(place.path, entry.name);
  if (entry.type == TarEntry::Type::kFile) {
    const auto file = place.guard->OpenRead(FileCall(ToolKind::kRead), path);
    return file ? SendFile(*file, std::move(entry), reply) : Sent::kYes;
  }
  if (entry.type == TarEntry::Type::kLink) {
    auto target = place.guard->ReadLink(FileCall(ToolKind::kRead), path);
    if (!target) return Sent::kYes;
    entry.target = std::move(*target);
  }
  return reply->Write(TarHeader(entry)) ? Sent::kYes : Sent::kClientGone;
}

void Download(const Context& context, Call& call, const Reply& reply) {
  auto found = FindPlace(context, call);
  if (!found.value) return reply->Send(found.problem);
  auto entries = Collect(*found.value);
  if (!entries) return reply->Send(ProblemOf(entries.error()));
  net::HttpResponse head;
  head.fields.Add("Content-Type", std::string(kTar));
  head.fields.Add("Cache-Control", "no-store");
  reply->Begin(head);
  for (TarEntry& entry : *entries) {
    const auto sent = SendEntry(*found.value, std::move(entry), reply);
    if (!sent || *sent == Sent::kClientGone) return;  // dropped: it sees that it is not all
  }
  if (reply->Write(TarEnd())) reply->End();
}

struct Taken {
  std::uint64_t files = 0, directories = 0, links = 0;
};

Status TakeEntry(FilePlace& place, const TarReader::Item& item, Taken& taken) {
  guard::Guard& guard = *place.guard;
  const guard::Call write = FileCall(ToolKind::kWrite);
  const std::string path = Joined(place.path, item.entry.name);
  if (item.entry.type == TarEntry::Type::kDirectory) {
    ++taken.directories;
    return guard.MkdirAll(write, path);
  }
  TRY(guard.MkdirAll(write, path.substr(0, path.find_last_of('/'))));
  if (item.entry.type == TarEntry::Type::kLink) {
    ++taken.links;
    Status made = guard.Symlink(write, item.entry.target, path);
    if (made || made.error().code != ErrorCode::kAlreadyExists) return made;
    // As a file does, it takes the place of what has its name, but of no directory with content.
    TRY(guard.Remove(FileCall(ToolKind::kDelete), path));
    return guard.Symlink(write, item.entry.target, path);
  }
  ++taken.files;
  guard::WriteOptions options;
  options.mode = item.entry.mode;
  return guard.Write(write, path, item.content, options);
}

Result<Taken> Unpack(FilePlace& place, std::string_view bytes) {
  // Read through once before anything is written: an archive with one bad entry changes nothing.
  std::size_t count = 0;
  for (TarReader reader(bytes);;) {
    TRY_ASSIGN(const auto item, reader.Next());
    if (!item) break;
    if (++count <= kMostEntries) continue;
    Error error;
    error.code = ErrorCode::kTooLarge;
    error.detail = "the archive has too many entries";
    return error;
  }
  Taken taken;
  for (TarReader reader(bytes);;) {
    TRY_ASSIGN(const auto item, reader.Next());
    if (!item) break;
    TRY(TakeEntry(place, *item, taken));
  }
  return taken;
}

net::HttpResponse Upload(const Context& context, Call& call) {
  auto found = FindPlace(context, call);
  if (!found.value) return found.problem;
  const auto taken = Unpack(*found.value, call.request.body);
  if (!taken) return ProblemOf(taken.error());
  return JsonAnswer(
      200, {{"files", taken->files}, {"directories", taken->directories}, {"links", taken->links}});
}

}  // namespace

void AddArchiveRoutes(Routes& routes, const Context& context) {
  constexpr std::string_view kPath = "/v1/sandboxes/{id}/archive/{path*}";
  routes.push_back({"GET",
                    kPath,
                    "downloadArchive",
                    "A directory with all below it, as tar",
                    "sandboxes:read",
                    {{200, "The archive", {"", kTar}}},
                    [context](Call& call, const Reply& reply) { Download(context, call, reply); }});
  routes.push_back({"PUT",
                    kPath,
                    "uploadArchive",
                    "Unpack a tar archive into a directory",
                    "sandboxes:write",
                    {{200, "What was unpacked", {"ArchiveResult"}}},
                    Answering([context](Call& call) { return Upload(context, call); }),
                    {},
                    {"", kTar}});
}

}  // namespace cordon::serve
