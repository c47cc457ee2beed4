// A file, or directory, that a URL names in a sandbox, and what its answers have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "guard/guard.h"
#include "serve/found_sandbox.h"

namespace cordon::serve {

struct FilePlace {
  provision::Sandboxes::Lease lease;
  std::shared_ptr<guard::Guard> guard;
  std::string path;  // as asked; "." for the workspace itself
};
OrProblem<FilePlace> FindPlace(const Context& context, const Call& call);

guard::Call FileCall(policy::ToolKind kind);

// A content's entity tag: its SHA-256 between quotes.
std::string TagOf(const Digest& digest);

// What If-Match and If-None-Match ask for.
struct Conditions {
  std::optional<Digest> match;  // the content must be this
  bool must_be_new = false;     // If-None-Match: *
  // Errors: kInvalidArguments for what is none of our tags, kStaleFile for one that never holds.
  static Result<Conditions> Of(const net::HttpFields& fields);
};

// The part of `size` bytes that a Range header asks for.
struct ByteRange {
  std::uint64_t first = 0, count = 0;
};
enum class RangeKind { kWhole, kPart, kUnsatisfiable };
// What is not of the form "bytes=A-B" is as if it were not there; several parts at once, too.
RangeKind ParseRange(std::optional<std::string_view> header, std::uint64_t size, ByteRange& range);

}  // namespace cordon::serve
