// What was measured, held against what must hold.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cordon::bench {

struct Measured {
  double median_ns = 0;
  double low_ns = 0;    // first quartile
  double high_ns = 0;   // third quartile
  double ratio = 0;     // median over the rounds of time / time of "plain" in the same round
  double added_ns = 0;  // median over the rounds of time - time of "cordon" in the same round
};

using AtDepth = std::map<std::string, Measured>;
using Results = std::map<int, AtDepth>;

struct Limit {
  std::string text;
  double measured = 0;
  double bound = 0;
  bool met = false;
};

std::vector<Limit> Judge(const Results& results);
std::string Table(const Results& results, const std::vector<Limit>& limits);
std::string Json(const Results& results, const std::vector<Limit>& limits, int rounds);

}  // namespace cordon::bench
