// A file system in memory that compares names as Windows or macOS would, so that
// the grammars and name rules of those systems are tested on any system.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "policy/read_path.h"

namespace cordon::testing {

// A scratch directory with "root" and "outside" in it.
class MemoryTree {
 public:
  explicit MemoryTree(path::NameRules rules);

  // "/"-separated, from the scratch directory; missing directories are made.
  void AddDirectory(std::string_view path);
  void AddFile(std::string_view path, std::string_view content);
  void AddLink(std::string_view path, std::string_view target);

  bool Exists(std::string_view path) const;
  // One line for every entry, to see whether anything has changed.
  std::string Describe(std::string_view path) const;

  // Operations on an untrusted path below "root", as a guard would do them.
  Result<std::string> Read(const policy::TextBoundary& boundary, std::string_view untrusted);
  Status List(const policy::TextBoundary& boundary, std::string_view untrusted);
  Status Create(const policy::TextBoundary& boundary, std::string_view untrusted);
  Status Delete(const policy::TextBoundary& boundary, std::string_view untrusted);
  Status Rename(const policy::TextBoundary& boundary, std::string_view from, std::string_view to);

 private:
  enum class Kind { kDirectory, kFile, kLink };
  struct Node {
    Kind kind = Kind::kDirectory;
    std::string name;
    std::string text;  // content or target
    std::map<std::string, std::unique_ptr<Node>> children;
  };
  // Where a path ends; `node` is null when only the directory is there.
  struct Place {
    Node* directory = nullptr;  // null for the root itself
    std::string name;
    Node* node = nullptr;
  };
  enum class LastLink { kFollow, kKeep };
  class Walk;

  std::string Key(std::string_view name) const;
  Node* Child(const Node& directory, std::string_view name) const;
  Node* Find(std::string_view path) const;
  Node& Make(std::string_view path, Kind kind);
  Result<Place> Resolve(const policy::TextBoundary& boundary, std::string_view untrusted,
                        Operation operation, LastLink last) const;

  path::NameRules rules_;
  std::unique_ptr<Node> scratch_;
};

}  // namespace cordon::testing
