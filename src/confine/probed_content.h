// Reading what a Probe has found and an operation is about to take away.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "confine/root.h"
#include "cordon/result.h"
#include "platform/attribute.h"
#include "platform/file_stat.h"

namespace cordon::confine {

// A regular file as it was at one moment.
struct FileContent {
  std::string bytes;
  platform::FileStat stat;
  std::vector<platform::Attribute> attributes;
};

// These are for who keeps what would be lost, and not for telling it to anyone: they ask
// no rule but those that Probe was judged by.
//
// Guarantees: it is the very object `stat` speaks of that is read. Size and time were the
//   same before and after.
// Errors: kStaleFile if another object is there, or it changes while it is read;
//   kTooLarge beyond `limit`; those of opening and reading.
Result<FileContent> ReadProbedFile(const Probed& probed, std::size_t limit);
Result<FileContent> ReadEntryFile(const ProbedEntry& entry, std::size_t limit);
Result<std::string> ReadProbedLink(const Probed& probed);
Result<std::string> ReadEntryLink(const ProbedEntry& entry);

}  // namespace cordon::confine
