#include "mcp/message_memory.h"

#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <new>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kSmall = std::size_t{1} << 20;
constexpr std::size_t kFactor = 6;
// Enough for most messages; small enough that an allocator has it at hand.
constexpr std::size_t kFirstBlock = 896;

class Bounded final : public json::memory_resource {
 public:
  explicit Bounded(std::size_t limit) : left_(limit), memory_(first_.data(), first_.size()) {}

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (size > left_) throw std::bad_alloc();
    left_ -= size;
    return memory_.allocate(size, alignment);
  }
  void do_deallocate(void* /*place*/, std::size_t /*size*/, std::size_t /*alignment*/) override {}
  bool do_is_equal(const json::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t left_;
  std::array<unsigned char, kFirstBlock> first_;  // not cleared
  json::monotonic_resource memory_;
};

class Counted final : public json::memory_resource {
 public:
  explicit Counted(std::size_t limit) : left_(limit) {}

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (size > left_) throw std::bad_alloc();
    void* const place = memory_->allocate(size, alignment);
    left_ -= size;
    return place;
  }
  void do_deallocate(void* place, std::size_t size, std::size_t alignment) override {
    left_ += size;
    memory_->deallocate(place, size, alignment);
  }
  bool do_is_equal(const json::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t left_;
  const json::storage_ptr memory_;
};

}  // namespace

json::storage_ptr ParserMemory(std::size_t size) {
  return json::make_shared_resource<Counted>(kSmall + size * kFactor);
}

json::storage_ptr MessageMemory(std::size_t size) {
  return json::make_shared_resource<Bounded>(kSmall + size * kFactor);
}

}  // namespace cordon::mcp
