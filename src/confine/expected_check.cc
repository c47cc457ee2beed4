#include "confine/expected_check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "base/try.h"
#include "confine/refusal.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::FileIdentity;
using platform::FileStat;
using platform::FileType;
using platform::OpenIntent;

Status CheckPlace(const Expected& expected, const Place& place) {
  if (!expected.name.empty() && expected.name != place.name) {
    return StaleError(place.name, "a link leads to another name than the one that was agreed to");
  }
  if (expected.directory == FileIdentity{}) return {};
  TRY_ASSIGN(const FileStat holder, platform::StatDescriptor(place.directory.get()));
  if (holder.identity == expected.directory) return {};
  return StaleError(place.name, "the directory that holds the name is another one by now");
}

// Of `size` bytes and no more: who makes the file longer meanwhile gains no time.
Result<Digest> DigestOf(int fd, std::uint64_t size) {
  Sha256Stream stream;
  std::array<char, 64 * 1024> buffer;
  while (size > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
    TRY_ASSIGN(const std::size_t count, platform::Read(fd, std::span(buffer.data(), wanted)));
    if (count == 0) break;
    stream.Add(std::string_view(buffer.data(), count));
    size -= count;
  }
  return stream.Finish();
}

}  // namespace

Error StaleError(std::string_view component, std::string_view detail) {
  Error error;
  error.code = ErrorCode::kStaleFile;
  error.violation = Violation::kRace;
  error.op = "expected";
  error.rule = "expected";
  error.component = component;
  error.detail = detail;
  return error;
}

Error ExpectedInTheWay() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "expected";
  error.detail = "this makes something new, which cannot be what was there";
  return error;
}

Status CheckObject(const Expected& expected, const FileStat& found) {
  switch (expected.presence) {
    case Presence::kAny: return {};
    case Presence::kAbsent:
      return StaleError("", "something has come to a name that was free when it was agreed to");
    case Presence::kPresent: break;
  }
  if (found.identity == expected.object) return {};
  return StaleError("", "the name leads to another object than the one that was agreed to");
}

Status CheckDescriptor(const Expected& expected, int fd) {
  if (expected.any()) return {};
  TRY_ASSIGN(const FileStat found, platform::StatDescriptor(fd));
  return CheckObject(expected, found);
}

Status CheckContent(int directory, const char* name, const FileIdentity* object,
                    const Digest& content, std::uint64_t size) {
  // Looked at before it is opened, which has an effect on what is not a file.
  TRY_ASSIGN(FileStat found, platform::StatEntry(directory, name));
  const auto fits = [&] {
    return found.type == FileType::kRegular && found.size == size &&
           (object == nullptr || found.identity == *object);
  };
  const auto stale = [&] { return StaleError("", "the content has changed meanwhile"); };
  if (!fits()) return stale();
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenEntry(directory, name, OpenIntent::kRead));
  TRY_ASSIGN(found, platform::StatDescriptor(file.get()));
  if (!fits()) return stale();
  TRY_ASSIGN(const Digest digest, DigestOf(file.get(), size));
  TRY_ASSIGN(found, platform::StatDescriptor(file.get()));
  if (!fits() || !SameDigest(digest, content)) return stale();
  return {};
}

Error ExplainMissing(const Expected& expected, Error error) {
  if (expected.any() || error.security_violation()) return error;
  switch (error.code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kNotADirectory:
    case ErrorCode::kIsADirectory:
    case ErrorCode::kNotARegularFile:
    case ErrorCode::kInvalidPath: break;  // a loop of links
    default: return error;
  }
  Error stale = StaleError(error.component, "what was agreed to is no longer there");
  stale.os_errno = error.os_errno;
  return stale;
}

Result<Place> LocateExpected(Resolution& resolution, const path::Request& request,
                             FinalSymlink final_link, const Expected& expected) {
  auto place = resolution.Locate(request, final_link);
  if (expected.any()) return place;
  if (!place) return ExplainMissing(expected, std::move(place.error()));
  TRY(CheckPlace(expected, *place));
  return place;
}

Result<platform::UniqueFd> MakeExpected(Resolution& resolution, const path::Request& request,
                                        FinalSymlink final_link, const Expected& expected) {
  TRY_ASSIGN(const Place place, LocateExpected(resolution, request, final_link, expected));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  auto made =
      platform::OpenEntry(place.directory.get(), place.name.c_str(), OpenIntent::kCreateExclusive);
  if (made || made.error().os_errno != EEXIST || final_link == FinalSymlink::kNoFollow) return made;
  return StaleError(place.name, "something has come to a name that was free when it was agreed to");
}

}  // namespace cordon::confine
