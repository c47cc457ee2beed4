// Comparing what is there with what was expected.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "confine/expected.h"
#include "confine/resolution.h"
#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::confine {

// `detail`: one sentence.
Error StaleError(std::string_view component, std::string_view detail);

// For an operation that makes something new and was told that something is there.
Error ExpectedInTheWay();

// `found` is what the name leads to.
Status CheckObject(const Expected& expected, const platform::FileStat& found);

// The same for an open descriptor, without a system call when nothing is expected.
Status CheckDescriptor(const Expected& expected, int fd);

// Whether the regular file `name` has that content, `size` bytes of it. The file is
// read by descriptor, and `object`, where given, must be it.
// Errors: kStaleFile; those of opening and reading.
Status CheckContent(int directory, const char* name, const platform::FileIdentity* object,
                    const Digest& content, std::uint64_t size);

// More than this is not compared: kTooLarge.
inline constexpr std::uint64_t kMaxComparedBytes = std::uint64_t{1} << 30;

// An error of opening what someone saw: that it is gone, or of another kind by now,
// means that it is stale.
Error ExplainMissing(const Expected& expected, Error error);

template <typename T>
Result<T> OrStale(const Expected& expected, Result<T> opened) {
  if (opened || expected.presence != Presence::kPresent) return opened;
  return ExplainMissing(expected, std::move(opened.error()));
}

// Resolution::Locate, for the directory that was seen.
Result<Place> LocateExpected(Resolution& resolution, const path::Request& request,
                             FinalSymlink final_link, const Expected& expected);

// Makes the file at a name that was free, for writing. Errors: kStaleFile if it is not.
Result<platform::UniqueFd> MakeExpected(Resolution& resolution, const path::Request& request,
                                        FinalSymlink final_link, const Expected& expected);

}  // namespace cordon::confine
