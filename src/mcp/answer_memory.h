// Where the values of one answer live until its text is made.
#pragma once

#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>

namespace cordon::mcp {

// Has room of its own for a small answer: nothing is allocated for one, nor given back piece
// by piece.
// Thread safety: one thread at a time.
class AnswerMemory {
 public:
  AnswerMemory() = default;
  AnswerMemory(const AnswerMemory&) = delete;
  AnswerMemory& operator=(const AnswerMemory&) = delete;

  // Must outlive the values.
  boost::json::storage_ptr storage() { return &memory_; }
  // Values that live here may be destroyed after this, and nothing else.
  void GiveBack() { memory_.release(); }

 private:
  static constexpr std::size_t kRoom = std::size_t{6} << 10;

  std::array<unsigned char, kRoom> room_;  // not cleared
  boost::json::monotonic_resource memory_{room_.data(), room_.size()};
};

}  // namespace cordon::mcp
