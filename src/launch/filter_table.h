// Every filter there can be, compiled when this program was built: doing it at every start
// would take as long as drawing the rest of the line.
#pragma once

#include <cstddef>
#include <span>

#include "platform/syscall_filter.h"

namespace cordon::launch {

inline constexpr std::size_t kFilters = 32;

constexpr std::size_t FilterIndex(const platform::FilterTerms& terms) {
  using Terms = platform::FilterTerms;
  return (terms.names == Terms::Names::kSupervised ? 1U : 0U) |
         (terms.directories == Terms::Directories::kSupervised ? 2U : 0U) |
         (terms.sockets == Terms::Sockets::kLocalOnly ? 4U : 0U) |
         (terms.path_sockets == Terms::PathSockets::kSupervised ? 8U : 0U) |
         (terms.reserving == Terms::Reserving::kRefused ? 16U : 0U);
}

// What platform::CompileFilter makes of the same terms.
std::span<const platform::FilterInstruction> FilterOf(const platform::FilterTerms& terms);

}  // namespace cordon::launch
