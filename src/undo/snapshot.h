// Turning what is on the disk into what the journal knows of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "confine/probed_content.h"
#include "confine/root.h"
#include "cordon/result.h"
#include "undo/limits.h"
#include "undo/node.h"
#include "undo/objects.h"

namespace cordon::undo {

// What is at a place, stored nowhere. A file that cannot be read, or is too large, is
// told with the reason in `lost`. `bytes`, where given, gets a file's content.
// Errors: kStaleFile.
Result<Node> Describe(const confine::Probed& probed, const Limits& limits,
                      std::string* bytes = nullptr);

// The same, with the content stored, for one operation.
class Snapshot {
 public:
  Snapshot(const Objects& objects, const Limits& limits) : objects_(objects), limits_(limits) {}

  // A directory is kept with everything below. Errors: kStaleFile; kPathDenied; those of
  // storing.
  Result<Node> KeepAll(const confine::Root& root, const confine::Probed& probed);
  // A directory is kept alone.
  Result<Node> KeepOne(const confine::Probed& probed);
  Status Keep(const Digest& digest, std::string_view bytes);

  std::uint64_t added() const { return added_; }  // bytes

 private:
  Result<Node> KeepFile(Result<confine::FileContent> content, const platform::FileStat& stat);
  Result<TreeNode> KeepEntry(const confine::ProbedEntry& entry);

  const Objects& objects_;
  const Limits& limits_;
  std::uint64_t added_ = 0;
  std::uint64_t seen_ = 0;  // bytes of files, stored before or not
};

std::string FormatAttributes(const std::vector<platform::Attribute>& attributes);
// Errors: kIoError, rule "undo".
Result<std::vector<platform::Attribute>> ParseAttributes(std::string_view text);

}  // namespace cordon::undo
