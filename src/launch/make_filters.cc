// Run by the build: writes the filters of filter_table.cc to the standard output.
#include <iostream>

#include "launch/filter_table.h"

namespace {

using cordon::launch::kFilters;
using cordon::platform::FilterTerms;

FilterTerms TermsAt(std::size_t index) {
  FilterTerms terms;
  terms.names =
      (index & 1) != 0 ? FilterTerms::Names::kSupervised : FilterTerms::Names::kUnsupervised;
  terms.directories =
      (index & 2) != 0 ? FilterTerms::Directories::kSupervised : FilterTerms::Directories::kNot;
  terms.sockets = (index & 4) != 0 ? FilterTerms::Sockets::kLocalOnly : FilterTerms::Sockets::kAll;
  terms.path_sockets =
      (index & 8) != 0 ? FilterTerms::PathSockets::kSupervised : FilterTerms::PathSockets::kNot;
  terms.reserving =
      (index & 16) != 0 ? FilterTerms::Reserving::kRefused : FilterTerms::Reserving::kAllowed;
  return terms;
}

}  // namespace

int main() {
  for (std::size_t index = 0; index < kFilters; ++index) {
    const auto filter = cordon::platform::CompileFilter(TermsAt(index));
    if (!filter) return 1;
    std::cout << "constexpr FilterInstruction kFilter" << index << "[] = {\n";
    for (const auto& each : *filter) {
      std::cout << "    {" << each.code << ", " << int{each.jump_true} << ", "
                << int{each.jump_false} << ", " << each.operand << "U},\n";
    }
    std::cout << "};\n";
  }
  std::cout << "constexpr std::span<const FilterInstruction> kTable[] = {\n";
  for (std::size_t index = 0; index < kFilters; ++index) {
    std::cout << "    kFilter" << index << ",\n";
  }
  std::cout << "};\n" << std::flush;
  return std::cout ? 0 : 1;
}
