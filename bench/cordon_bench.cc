// cordon_bench [--json FILE] [--enforce] [--rounds N]
//
// Ratios of nanoseconds, on machines that are busy with other things. Running one
// contender after the other, as benchmark libraries do, puts whatever the machine
// does meanwhile into the ratio. So every round runs each contender for a short
// batch, in an order that turns from round to round; a ratio is formed within a
// round, where both sides met the same weather, and the median of the rounds is
// reported.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/contenders.h"
#include "bench/report.h"

namespace cordon::bench {
namespace {

constexpr int kDepths[] = {1, 6, 12};
constexpr int kRounds = 400;
constexpr int kWarmUp = 500;
// Short enough to fall between two turns of the scheduler, long enough to be read.
constexpr auto kBatch = std::chrono::microseconds(400);

using Clock = std::chrono::steady_clock;

double Quantile(std::vector<double> values, double q) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double RunBatch(const Contender& contender, int count) {
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) contender.once();
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  return took.count() / count;
}

AtDepth MeasureAt(const Stage& stage, int depth, int rounds) {
  const std::vector<Contender> contenders = ContendersAt(stage, depth);
  const std::size_t n = contenders.size();
  std::vector<int> counts;
  for (const Contender& contender : contenders) {
    const double ns = RunBatch(contender, kWarmUp);
    counts.push_back(std::max(1, static_cast<int>(std::chrono::nanoseconds(kBatch).count() / ns)));
  }
  const std::size_t cordon = static_cast<std::size_t>(
      std::find_if(contenders.begin(), contenders.end(),
                   [](const Contender& contender) { return contender.name == "cordon"; }) -
      contenders.begin());
  std::vector<std::vector<double>> times(n), ratios(n), added(n);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> now(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t turn = (i + static_cast<std::size_t>(round)) % n;
      now[turn] = RunBatch(contenders[turn], counts[turn]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      times[i].push_back(now[i]);
      ratios[i].push_back(now[i] / now[0]);
      added[i].push_back(now[i] - now[cordon]);
    }
  }
  AtDepth result;
  for (std::size_t i = 0; i < n; ++i) {
    result[contenders[i].name] = {Quantile(times[i], 0.5), Quantile(times[i], 0.25),
                                  Quantile(times[i], 0.75), Quantile(ratios[i], 0.5),
                                  Quantile(added[i], 0.5)};
  }
  return result;
}

int Main(int argc, char** argv) {
  const Arguments arguments = ParseArguments(argc, argv, "cordon_bench", kRounds);
  const Stage stage;
  Results results;
  for (const int depth : kDepths) results[depth] = MeasureAt(stage, depth, arguments.rounds);
  const std::vector<Limit> limits = Judge(results);
  std::cout << Table(results, limits);
  if (!arguments.json.empty()) {
    std::ofstream out(arguments.json);
    out << Json(results, limits, arguments.rounds);
    if (!out.flush()) {
      std::cerr << "cordon_bench: cannot write " << arguments.json << '\n';
      return 2;
    }
  }
  const bool met = std::all_of(limits.begin(), limits.end(), [](const Limit& l) { return l.met; });
  return arguments.enforce && !met ? 1 : 0;
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) { return cordon::bench::Main(argc, argv); }
