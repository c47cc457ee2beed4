// What a person has agreed to for the rest of one session: in memory, never on disk.
#pragma once

#include <bitset>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "policy/tool_level.h"

namespace cordon::guard {

// A directory given away, and the way from it to what was asked for.
struct Covered {
  std::shared_ptr<const confine::Root> root;
  std::string below;  // never empty: "." for the directory itself
};

// Thread safety: every method may run concurrently.
class Grants {
 public:
  // Keeps the directory open: what takes its name later is another one.
  void AddDirectory(confine::Root directory);

  // The grant below which `real_path`, absolute and without links, lies now. The
  // directory that has the grant's name must still be the one that was given;
  // `host` is asked for that.
  std::optional<Covered> Covering(const confine::Root& host, std::string_view real_path) const;

  void TrustTools(policy::ToolKind kind);
  bool Trusts(policy::ToolKind kind) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const confine::Root>> directories_;
  std::bitset<4> trusted_;  // by ToolKind
};

}  // namespace cordon::guard
