// GET and HEAD of files and directories.
#include "serve/file_reading.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <cstdio>
#include <utility>

#include "base/try.h"
#include "serve/file_place.h"
#include "serve/problem.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using platform::FileType;

constexpr std::uint64_t kWhole = std::uint64_t{16} << 20;  // larger ones are sent piece by piece
constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr std::size_t kMostEntries = 100'000;

std::string_view TypeName(FileType type) {
  switch (type) {
    case FileType::kRegular: return "file";
    case FileType::kDirectory: return "directory";
    case FileType::kSymlink: return "symlink";
    default: return "other";
  }
}

net::HttpResponse Listing(FilePlace& place) {
  const auto entries =
      place.guard->List(FileCall(policy::ToolKind::kRead), place.path, kMostEntries);
  if (!entries) return ProblemOf(entries.error());
  json::array list;
  for (const confine::DirectoryEntry& one : *entries) {
    json::object entry;
    tools::AddPath(entry, "name", one.name);
    entry["type"] = TypeName(one.type);
    list.push_back(std::move(entry));
  }
  return JsonAnswer(200, {{"type", "directory"}, {"entries", std::move(list)}});
}

// A page that shows it must not take it for one of ours.
net::HttpResponse FileHead(const std::string& tag, std::uint32_t mode) {
  net::HttpResponse head;
  head.fields.Add("Content-Type", "application/octet-stream");
  head.fields.Add("X-Content-Type-Options", "nosniff");
  head.fields.Add("Content-Security-Policy", "sandbox");
  head.fields.Add("Cache-Control", "no-store");
  head.fields.Add("Accept-Ranges", "bytes");
  head.fields.Add("ETag", tag);
  std::array<char, 8> octal{};
  std::snprintf(octal.data(), octal.size(), "%03o", mode & 0777U);
  head.fields.Add("Cordon-Mode", octal.data());
  return head;
}

void AddRange(net::HttpResponse& head, const ByteRange& range, std::uint64_t size) {
  head.status = 206;
  std::string text = "bytes ";
  text.append(std::to_string(range.first)).append("-");
  text.append(std::to_string(range.first + range.count - 1)).append("/");
  text.append(std::to_string(size));
  head.fields.Add("Content-Range", std::move(text));
}

net::HttpResponse Unsatisfiable(std::uint64_t size) {
  net::HttpResponse response = Problem(416, "INVALID_ARGUMENTS", "the file has no such range");
  response.fields.Add("Content-Range", "bytes */" + std::to_string(size));
  return response;
}

void SendWhole(confine::File& file, const platform::FileStat& stat, const net::HttpRequest& request,
               const Reply& reply) {
  auto content = file.ReadAll(kWhole);
  if (!content) return reply->Send(ProblemOf(content.error()));
  const std::string tag = TagOf(Sha256(*content));
  net::HttpResponse response = FileHead(tag, stat.mode);
  if (request.fields.Find("If-None-Match") == std::string_view(tag)) {
    response.status = 304;
    return reply->Send(std::move(response));
  }
  ByteRange range;
  switch (ParseRange(request.fields.Find("Range"), content->size(), range)) {
    case RangeKind::kUnsatisfiable: return reply->Send(Unsatisfiable(content->size()));
    case RangeKind::kPart:
      AddRange(response, range, content->size());
      response.body = content->substr(range.first, range.count);
      break;
    case RangeKind::kWhole: response.body = std::move(*content); break;
  }
  reply->Send(std::move(response));
}

// What of it is there when it is read; a file that shrinks meanwhile ends early.
void SendPieces(const confine::File& file, const platform::FileStat& stat,
                const net::HttpRequest& request, const Reply& reply) {
  std::string tag = "W/\"";
  tag.append(std::to_string(stat.size)).append("-").append(std::to_string(stat.modified_ns));
  tag += '"';
  net::HttpResponse head = FileHead(tag, stat.mode);
  ByteRange range{0, stat.size};
  const RangeKind kind = ParseRange(request.fields.Find("Range"), stat.size, range);
  if (kind == RangeKind::kUnsatisfiable) return reply->Send(Unsatisfiable(stat.size));
  if (kind == RangeKind::kPart) AddRange(head, range, stat.size);
  reply->Begin(head);
  std::string piece;
  while (range.count > 0 && request.method != "HEAD") {
    piece.resize(std::min<std::uint64_t>(kPiece, range.count));
    const auto got = file.ReadAt(range.first, piece);
    if (!got || *got == 0) return;  // dropped: the client sees that it is not all
    piece.resize(*got);
    range.first += *got;
    range.count -= *got;
    if (!reply->Write(std::move(piece))) return;
    piece = {};
  }
  reply->End();
}

}  // namespace

void ReadPath(const Context& context, Call& call, const Reply& reply) {
  auto found = FindPlace(context, call);
  if (!found.value) return reply->Send(found.problem);
  FilePlace& place = *found.value;
  auto file = place.guard->OpenRead(FileCall(policy::ToolKind::kRead), place.path);
  if (!file && file.error().code == ErrorCode::kIsADirectory) return reply->Send(Listing(place));
  if (!file) return reply->Send(ProblemOf(file.error()));
  const auto stat = file->Stat();
  if (!stat) return reply->Send(ProblemOf(stat.error()));
  if (stat->size <= kWhole) return SendWhole(*file, *stat, call.request, reply);
  SendPieces(*file, *stat, call.request, reply);
}

}  // namespace cordon::serve
