// Where a message's values live while it is answered.
#pragma once

#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <string_view>

namespace cordon::mcp {

// All are for a message of some size, and never much more than it was worth: 1 MiB and six
// times its bytes for its values, and as much while it is parsed. So a message may consist of
// texts of one letter up to any size; whoever sends millions of empty arrays gets
// std::bad_alloc.
// Thread safety: values of one message belong to one thread at a time.

// Given back all at once.
boost::json::storage_ptr MessageMemory(std::size_t size);

// The heap, up to a limit.
class CountedMemory final : public boost::json::memory_resource {
 public:
  explicit CountedMemory(std::size_t limit) : left_(limit) {}

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override;
  void do_deallocate(void* place, std::size_t size, std::size_t alignment) override;
  bool do_is_equal(const boost::json::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t left_;
  const boost::json::storage_ptr memory_;
};

// For the parser's own needs.
class ParserMemory {
 public:
  explicit ParserMemory(std::string_view message);
  ~ParserMemory();
  ParserMemory(const ParserMemory&) = delete;
  ParserMemory& operator=(const ParserMemory&) = delete;

  // Given back piece by piece.
  boost::json::storage_ptr storage() { return &memory_; }
  // To begin with; for long messages all that is needed: a parser that grows step by step
  // takes three times as much.
  unsigned char* room() const { return room_; }
  std::size_t room_size() const { return size_; }

 private:
  CountedMemory memory_;
  alignas(std::max_align_t) std::array<unsigned char, 4096> near_;  // enough for most; not cleared
  const std::size_t size_;
  unsigned char* const room_;
};

}  // namespace cordon::mcp
