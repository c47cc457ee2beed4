#include "mcp/message_memory.h"

#include <algorithm>
#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>
#include <new>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kSmall = std::size_t{1} << 20;
constexpr std::size_t kFactor = 6;
// Enough for most messages; small enough that an allocator has it at hand.
constexpr std::size_t kFirstBlock = 896;
constexpr std::size_t kLong = std::size_t{64} << 10;       // a message that is looked through first
constexpr std::size_t kNested = std::size_t{2} * 64 + 32;  // values before the first comma

constexpr std::size_t LimitFor(std::size_t size) { return kSmall + size * kFactor; }

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

// A parser holds one value for each comma and colon at most, and one text. What a text has of
// them is counted in vain; memory that is not used is not taken from the system.
std::size_t RoomFor(std::string_view message, std::size_t near) {
  if (message.size() <= kLong) return near;
  const auto marks = static_cast<std::size_t>(std::count_if(
      message.begin(), message.end(), [](char one) { return one == ',' || one == ':'; }));
  return std::min((marks + kNested) * sizeof(json::value) + message.size(),
                  LimitFor(message.size()));
}

}  // namespace

json::storage_ptr MessageMemory(std::size_t size) {
  return json::make_shared_resource<Bounded>(LimitFor(size));
}

void* CountedMemory::do_allocate(std::size_t size, std::size_t alignment) {
  if (size > left_) throw std::bad_alloc();
  void* const place = memory_->allocate(size, alignment);
  left_ -= size;
  return place;
}

void CountedMemory::do_deallocate(void* place, std::size_t size, std::size_t alignment) {
  left_ += size;
  memory_->deallocate(place, size, alignment);
}

ParserMemory::ParserMemory(std::string_view message)
    : memory_(LimitFor(message.size())),
      size_(RoomFor(message, near_.size())),
      room_(message.size() <= kLong
                ? near_.data()
                : static_cast<unsigned char*>(memory_.allocate(size_, alignof(json::value)))) {}

ParserMemory::~ParserMemory() {
  if (room_ != near_.data()) memory_.deallocate(room_, size_, alignof(json::value));
}

}  // namespace cordon::mcp
