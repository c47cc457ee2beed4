// Makes a Glob's steps of what its pattern says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/glob.h"
#include "search/glob_parser.h"

namespace cordon::search {

// Guarantees: a step leads on only to later ones.
class GlobCompiler {
 public:
  explicit GlobCompiler(Glob& glob) : glob_(glob) {}  // empty so far
  void Compile(const std::vector<GlobPart>& parts);

 private:
  using Kind = Glob::Kind;

  std::uint32_t size() const { return static_cast<std::uint32_t>(glob_.steps_.size()); }
  std::uint32_t Add(Kind kind, unsigned char byte = 0);
  // Nothing, or anything and a slash.
  void EmitDirectories();
  void EmitAlternates(const GlobPart& part);
  void Emit(const std::vector<GlobPart>& parts);
  // Whether all but the directories before it is one component.
  void FindName();
  void Reach();
  // Finds the shape, and what stands fixed at both ends.
  void Describe(const std::vector<GlobPart>& parts);
  void Set(Glob::Shape shape, std::string text);

  Glob& glob_;
};

}  // namespace cordon::search
