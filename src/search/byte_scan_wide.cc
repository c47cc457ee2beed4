// The wide forms: 32 bytes at a time on x86-64 with AVX2; elsewhere the plain ones.
#include "search/byte_scan.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#define CORDON_WIDE __attribute__((target("avx2")))

namespace cordon::search::wide {
namespace {

constexpr std::size_t kWidth = 32;

CORDON_WIDE inline __m256i Load(const char* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(at)));
}

CORDON_WIDE inline __m256i Spread(unsigned char byte) {
  return _mm256_set1_epi8(static_cast<char>(byte));
}

struct Wanted {
  __m256i first, second, first_mask, second_mask;
};

// Bit i is set if both bytes stand at position i.
CORDON_WIDE inline std::uint32_t HitsAt(const char* first, const char* second, const Wanted& w) {
  const __m256i a = _mm256_cmpeq_epi8(_mm256_or_si256(Load(first), w.first_mask), w.first);
  const __m256i b = _mm256_cmpeq_epi8(_mm256_or_si256(Load(second), w.second_mask), w.second);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(a, b)));
}

// Asked here and not by __builtin_cpu_supports, which has it asked whenever the program starts:
// in a virtual machine every such question takes microseconds.
__attribute__((target("xsave"))) bool HasWideRegisters() {
  constexpr unsigned kKeptBySystem = 6;  // the halves of a wide register
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0 ||
      (_xgetbv(0) & kKeptBySystem) != kKeptBySystem) {
    return false;
  }
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}

}  // namespace

bool Available() {
  static const bool available = HasWideRegisters();
  return available;
}

CORDON_WIDE std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                                 std::size_t length) {
  if (text.size() < length) return std::string_view::npos;
  const std::size_t end = text.size() - length + 1;  // positions to try
  const Wanted wanted{Spread(pair.first), Spread(pair.second), Spread(pair.first_mask),
                      Spread(pair.second_mask)};
  const char* const first = text.data() + pair.first_offset;
  const char* const second = text.data() + pair.second_offset;
  std::size_t i = from;
  for (; i + 2 * kWidth <= end; i += 2 * kWidth) {
    const std::uint32_t low = HitsAt(first + i, second + i, wanted);
    const std::uint32_t high = HitsAt(first + i + kWidth, second + i + kWidth, wanted);
    const std::uint64_t hits = (static_cast<std::uint64_t>(high) << kWidth) | low;
    if (hits != 0) return i + static_cast<std::size_t>(std::countr_zero(hits));
  }
  for (; i + kWidth <= end; i += kWidth) {
    const std::uint32_t hits = HitsAt(first + i, second + i, wanted);
    if (hits != 0) return i + static_cast<std::size_t>(std::countr_zero(hits));
  }
  return plain::FindPair(text, i, pair, length);
}

CORDON_WIDE std::size_t CountByte(std::string_view text, char byte) {
  const __m256i wanted = _mm256_set1_epi8(byte);
  const __m256i zero = _mm256_setzero_si256();
  __m256i total = zero;
  std::size_t i = 0;
  while (i + kWidth <= text.size()) {
    // Each lane counts to at most 255 before it is added up.
    const std::size_t stop = std::min(text.size(), i + 255 * kWidth);
    __m256i lanes = zero;
    for (; i + kWidth <= stop; i += kWidth) {
      lanes = _mm256_sub_epi8(lanes, _mm256_cmpeq_epi8(Load(text.data() + i), wanted));
    }
    total = _mm256_add_epi64(total, _mm256_sad_epu8(lanes, zero));
  }
  const auto lane = [&](__m128i half) {
    return static_cast<std::size_t>(_mm_cvtsi128_si64(half)) +
           static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(half, half)));
  };
  return lane(_mm256_castsi256_si128(total)) + lane(_mm256_extracti128_si256(total, 1)) +
         plain::CountByte(text.substr(i), byte);
}

}  // namespace cordon::search::wide

#else

namespace cordon::search::wide {

bool Available() { return false; }
std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length) {
  return plain::FindPair(text, from, pair, length);
}
std::size_t CountByte(std::string_view text, char byte) { return plain::CountByte(text, byte); }

}  // namespace cordon::search::wide

#endif
