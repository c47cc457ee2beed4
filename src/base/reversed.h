// A container from its end, in a range-based for. As std::views::reverse, which clang 14
// cannot compile with this standard library.
#pragma once

namespace cordon {

template <typename Container>
class Reversed {
 public:
  explicit Reversed(Container& container) : container_(container) {}
  auto begin() const { return container_.rbegin(); }
  auto end() const { return container_.rend(); }

 private:
  Container& container_;  // must outlive this
};

}  // namespace cordon
