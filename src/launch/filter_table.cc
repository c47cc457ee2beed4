#include "launch/filter_table.h"

namespace cordon::launch {
namespace {

using platform::FilterInstruction;

// kFilter0 to kFilter31, and kTable: a span of each.
#include "launch/filters.inc"

}  // namespace

std::span<const FilterInstruction> FilterOf(const platform::FilterTerms& terms) {
  return kTable[FilterIndex(terms)];
}

}  // namespace cordon::launch
