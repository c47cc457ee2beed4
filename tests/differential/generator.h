// Random trees, paths and operations, the same ones for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::differential {

// A small generator whose numbers are the same on every system.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(Next() % bound); }
  bool Percent(unsigned chance) { return Below(100) < chance; }

 private:
  std::uint64_t state_;
};

enum class EntryKind { kDirectory, kFile, kLink };

// One entry, parents first. ${ROOT} and ${SCRATCH} stand for absolute paths.
struct Entry {
  EntryKind kind;
  std::string path;
  std::string text;
};

enum class Op {
  kRead,
  kList,
  kStat,
  kStatLink,
  kReadLink,
  kCreate,
  kCreateExclusive,
  kWrite,
  kReplace,
  kAppend,
  kMkdir,
  kRemove,
  kRename,
  kRemoveAll,
  kMkdirAll,
  kSymlink,
};
std::string_view OpName(Op op);

// For a rename `other` is where to, for a link what it says.
struct Step {
  Op op;
  std::string path;
  std::string other;
};

struct Scenario {
  std::vector<Entry> entries;
  std::vector<Step> steps;  // those that change nothing come first
};

Scenario Generate(std::uint64_t seed);

}  // namespace cordon::differential
