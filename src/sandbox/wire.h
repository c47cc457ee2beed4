// Values as bytes and back, for the two ends of a launch; for the files of this room only.
// Both ends are always of one build, so there is no version; what does not fit is refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cordon/result.h"

namespace cordon::sandbox::wire {

class Writer {
 public:
  void Number(std::uint64_t value);
  void Text(std::string_view text);
  template <typename E>
  void Word(E value) {
    static_assert(std::is_enum_v<E>);
    Number(static_cast<std::uint64_t>(value));
  }
  template <typename T, typename Each>
  void List(const std::vector<T>& list, const Each& each) {
    Number(list.size());
    for (const T& item : list) each(*this, item);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After the first thing that does not fit, everything reads as nothing and Done fails.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t Number();
  std::string Text();
  // `last`: the highest there is.
  template <typename E>
  E Word(E last) {
    static_assert(std::is_enum_v<E>);
    const std::uint64_t value = Number();
    if (value > static_cast<std::uint64_t>(last)) Fail();
    return failed_ ? E{} : static_cast<E>(value);
  }
  template <typename Each>
  auto List(const Each& each) {
    std::vector<std::invoke_result_t<Each, Reader&>> list;
    const std::uint64_t count = Number();
    // Every item has at least one byte: a longer list is a lie.
    if (count > bytes_.size()) Fail();
    for (std::uint64_t i = 0; i < count && !failed_; ++i) list.push_back(each(*this));
    return list;
  }
  void Fail() { failed_ = true; }
  // Errors: kInvalidArguments when something did not fit or something is left.
  Status Done() const;

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace cordon::sandbox::wire
