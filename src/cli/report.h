// How every subcommand ends: what it prints about a failure, and its status.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "cordon/result.h"

namespace cordon::cli {

enum class ExitStatus {
  kDone = 0,           // done, or allowed
  kRefused = 1,        // by policy or by the state of the path
  kUsage = 2,          // command line or configuration
  kCannotEnforce = 3,  // the system lacks what is needed to hold the line
};

enum class OutputFormat { kText, kJson };

// Longest sentence that is shown, with the pieces it repeats: a whole path of the
// host fits, because a cut file name helps nobody.
inline constexpr std::size_t kMaxSentenceBytes = 16 * kMaxEchoedBytes;

// For an error met before any path was judged: kCannotEnforce for kUnsupported,
// else kUsage.
ExitStatus StatusOfSetup(const Error& error);
// For a path that was judged: kCannotEnforce for kUnsupported, else kRefused.
ExitStatus StatusOfRefusal(const Error& error);

// Says why the subcommand could not start: text to stderr, JSON to stdout.
ExitStatus ReportSetupError(const Error& error, OutputFormat format);

// A mistake on the command line, as an Error.
Error UsageError(std::string detail);

// Shows what the person must know before anything else, on stderr.
void PrintWarnings(const std::vector<std::string>& warnings);

}  // namespace cordon::cli
