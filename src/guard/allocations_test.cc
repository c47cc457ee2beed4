// Counts what the test program allocates. In a source of its own, so that no
// caller is compiled together with these replacements.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace cordon::guard {
namespace {
std::atomic<std::size_t> allocations{0};
}

std::size_t AllocationsForTest();
std::size_t AllocationsForTest() { return allocations; }

}  // namespace cordon::guard

void* operator new(std::size_t size) {
  ++cordon::guard::allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
