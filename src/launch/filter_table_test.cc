#include "launch/filter_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace cordon::launch {
namespace {

using platform::FilterTerms;

// All terms there are: each word of each of the five.
std::vector<FilterTerms> AllTerms() {
  std::vector<FilterTerms> all;
  for (const auto names : {FilterTerms::Names::kSupervised, FilterTerms::Names::kUnsupervised}) {
    for (const auto directories :
         {FilterTerms::Directories::kSupervised, FilterTerms::Directories::kNot}) {
      for (const auto sockets : {FilterTerms::Sockets::kAll, FilterTerms::Sockets::kLocalOnly}) {
        for (const auto path_sockets :
             {FilterTerms::PathSockets::kSupervised, FilterTerms::PathSockets::kNot}) {
          for (const auto reserving :
               {FilterTerms::Reserving::kAllowed, FilterTerms::Reserving::kRefused}) {
            all.push_back({names, directories, sockets, path_sockets, reserving});
          }
        }
      }
    }
  }
  return all;
}

TEST(FilterTable, HoldsWhatTheCompilerMakes) {
  std::set<std::size_t> seen;
  for (const FilterTerms& terms : AllTerms()) {
    seen.insert(FilterIndex(terms));
    const auto made = platform::CompileFilter(terms);
    ASSERT_TRUE(made);
    const auto kept = FilterOf(terms);
    ASSERT_EQ(kept.size(), made->size());
    EXPECT_EQ(std::memcmp(kept.data(), made->data(), kept.size_bytes()), 0) << FilterIndex(terms);
  }
  EXPECT_EQ(seen.size(), kFilters);
}

}  // namespace
}  // namespace cordon::launch
