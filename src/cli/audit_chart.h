// A bar for each stretch of time: operations, and how many of them were refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/audit_statistics.h"
#include "cli/output_style.h"

namespace cordon::cli {

// Most bars that are shown.
inline constexpr std::size_t kMostBars = 48;

// The newest kMostBars buckets up to the last, those with nothing in them included,
// each a line of at most style.columns cells: "2026-11-15 13:00  ######xx  8, 2 refused".
// Whatever is not zero is at least one cell. What does not fit is counted in a line
// before. Nothing for no buckets. `buckets`: as Timeline gives them.
std::vector<std::string> ChartLines(const std::vector<Bucket>& buckets, BucketSize size,
                                    const OutputStyle& style);

}  // namespace cordon::cli
