// Changes of every kind through a guard, from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "guard/guard.h"

namespace cordon::testing {

class RandomChanges {
 public:
  RandomChanges(guard::Guard& guard, std::uint32_t seed) : guard_(guard), random_(seed) {}

  // One attempt; whether anything changed.
  bool Step();

 private:
  std::uint32_t Below(std::uint32_t limit) { return random_() % limit; }
  std::string Path();
  std::string Bytes();

  guard::Guard& guard_;
  std::mt19937 random_;
};

// Files, directories and links of every kind below `directory`, odd names included.
void MakeVariedTree(const std::string& directory);

// Everything below: names, kinds, modes, contents, link texts, times and attributes of
// files.
std::string DescribeTree(const std::string& directory);

}  // namespace cordon::testing
