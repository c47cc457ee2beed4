// Every object of a tree by name, number and content, to tell which of them an
// operation has touched.
#pragma once

#include <sys/stat.h>

#include <map>
#include <string>
#include <string_view>

#include "tests/support/scratch.h"
#include "tests/support/snapshot.h"

namespace cordon::testing {

struct Witness {
  struct Entry {
    ino_t inode = 0;
    std::string description;
    bool operator==(const Entry&) const = default;
  };
  std::map<std::string, Entry> entries;
  std::string temporaries;  // of a running operation, or left behind by one

  static Witness Of(const Scratch& scratch) {
    Witness witness;
    for (const auto& [path, description] : Take(scratch.descriptor())) {
      if (path.find(".cordon-") != std::string::npos) {
        witness.temporaries += path + "\n";
        continue;
      }
      struct stat found = {};
      if (::lstat(scratch.At(path).c_str(), &found) == 0) {
        witness.entries[path] = {found.st_ino, description};
      }
    }
    return witness;
  }

  // Where that object is; empty if nowhere.
  std::string PathOf(ino_t inode) const {
    for (const auto& [path, entry] : entries) {
      if (entry.inode == inode) return path;
    }
    return {};
  }

  // What differs beside the object `approved` and what is below it, and beside `made`.
  std::string Strangers(const Witness& after, ino_t approved, std::string_view made) const {
    std::string text;
    const auto is_below = [](const std::string& path, const std::string& top) {
      return !top.empty() && path.starts_with(top + "/");
    };
    const std::string top = PathOf(approved);
    for (const auto& [path, entry] : entries) {
      if (entry.inode == approved || is_below(path, top)) continue;
      const auto found = after.entries.find(path);
      if (found == after.entries.end()) {
        text += "- " + path + "\n";
      } else if (found->second != entry) {
        text += "~ " + path + "\n";
      }
    }
    const std::string now = after.PathOf(approved);
    for (const auto& [path, entry] : after.entries) {
      if (entries.contains(path) || is_below(path, now) || path == made) continue;
      text += "+ " + path + "\n";
    }
    return text;
  }
};

}  // namespace cordon::testing
