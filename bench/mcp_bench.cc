// mcp_bench --packages DIR [--json FILE] [--enforce] [--rounds N]
//
// `cordon mcp` and the official file server, spoken to in the same way by the same native
// client: from start to first reply, 1 kB reads one at a time and pipelined, memory. Guard,
// audit log and undo journal are on. The two take turns, so that whatever else the machine
// does meets both; the median of the rounds' ratios is held against what must hold.
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/stdio_peer.h"

namespace cordon::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kFiles = 64;
constexpr std::size_t kOneAtATime = 1000;
constexpr std::size_t kPipelined = 8000;
constexpr std::size_t kWindow = 256;

struct Round {
  double start = 0;       // seconds to the first reply
  double latency = 0;     // seconds for one read
  double throughput = 0;  // reads a second
  double memory = 0;      // KiB
};

std::string Request(std::size_t id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":)" + params + "}\n";
}

class Tree {
 public:
  Tree() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::_Exit(2);
    path_ = name;
    std::filesystem::create_directories(path_ / "work");
    for (std::size_t i = 0; i < kFiles; ++i) {
      std::ofstream file(path_ / "work" / std::to_string(i));
      for (int line = 0; line < 16; ++line) file << std::string(63, 'a' + line) << '\n';
    }
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string work() const { return (path_ / "work").string(); }
  std::string state() const { return (path_ / "state").string(); }

 private:
  std::filesystem::path path_;
};

// Written by one who is not to be what is measured.
class Reads {
 public:
  explicit Reads(const Tree& tree)
      : rest_(R"(,"method":"tools/call","params":{"name":"read_text_file","arguments":{"path":")" +
              tree.work() + "/") {}
  void operator()(std::size_t id, std::string& bytes) const {
    bytes += R"({"jsonrpc":"2.0","id":)";
    bytes += std::to_string(id);
    bytes += rest_;
    bytes += std::to_string(id % kFiles);
    bytes += "\"}}}\n";
  }

 private:
  const std::string rest_;
};

Round Measure(const std::vector<std::string>& command, const Tree& tree) {
  Round round;
  const auto begin = Clock::now();
  StdioPeer peer(command);
  peer.Send(Request(1'000'000, "initialize",
                    R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                    R"("clientInfo":{"name":"bench","version":"1"}})"));
  peer.Response();
  round.start = Seconds(Clock::now() - begin).count();
  peer.Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + std::string("\n"));
  const Reads request(tree);
  peer.Pipeline(kOneAtATime / 4, 1, request);  // warm
  auto since = Clock::now();
  peer.Pipeline(kOneAtATime, 1, request);
  round.latency = Seconds(Clock::now() - since).count() / kOneAtATime;
  since = Clock::now();
  peer.Pipeline(kPipelined, kWindow, request);
  round.throughput = kPipelined / Seconds(Clock::now() - since).count();
  round.memory = static_cast<double>(peer.ResidentKiB());
  return round;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Limit {
  std::string what;
  std::string unit;
  double ours = 0;
  double theirs = 0;
  double ratio = 0;  // such that more is worse
  double bound = 0;
};

std::vector<Limit> Judge(const std::vector<Round>& ours, const std::vector<Round>& theirs) {
  const auto limit = [&](const std::string& what, const std::string& unit, double Round::*field,
                         double scale, double bound, double power) {
    std::vector<double> own;
    std::vector<double> other;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      own.push_back(ours[i].*field * scale);
      other.push_back(theirs[i].*field * scale);
      const double ratio = own.back() / other.back();
      ratios.push_back(power > 0 ? ratio : 1 / ratio);
    }
    return Limit{what, unit, Median(own), Median(other), Median(ratios), bound};
  };
  return {limit("start to first reply", "ms", &Round::start, 1e3, 1.0 / 20, 1),
          limit("one read at a time", "us", &Round::latency, 1e6, 1.0 / 5, 1),
          limit("pipelined reads", "/s", &Round::throughput, 1, 1.0 / 15, -1),
          limit("resident memory", "KiB", &Round::memory, 1, 1.0 / 6, 1)};
}

int Run(const std::string& packages, const Arguments& arguments) {
  const Tree tree;
  ::setenv("XDG_STATE_HOME", tree.state().c_str(), 1);
  const std::vector<std::string> ours = {CORDON_PROGRAM, "mcp", "--dialect", "mcp-filesystem",
                                         tree.work()};
  const std::vector<std::string> theirs = {
      packages + "/node/bin/node",
      packages + "/@modelcontextprotocol/server-filesystem/dist/index.js", tree.work()};
  std::vector<Round> our_rounds;
  std::vector<Round> their_rounds;
  for (int round = 0; round < arguments.rounds; ++round) {
    our_rounds.push_back(Measure(ours, tree));
    their_rounds.push_back(Measure(theirs, tree));
  }
  const std::vector<Limit> limits = Judge(our_rounds, their_rounds);
  std::ofstream file;
  if (!arguments.json.empty()) file.open(arguments.json);
  if (file) file << "{\"rounds\":" << arguments.rounds << ",\"limits\":[";
  bool met = true;
  std::printf("%-22s %12s %12s %8s %8s\n", "", "cordon mcp", "official", "ratio", "bound");
  for (const Limit& limit : limits) {
    const bool holds = limit.ratio <= limit.bound;
    met = met && holds;
    std::printf("%-22s %9.1f %-2s %9.1f %-2s %8.4f %8.4f %s\n", limit.what.c_str(), limit.ours,
                limit.unit.c_str(), limit.theirs, limit.unit.c_str(), limit.ratio, limit.bound,
                holds ? "met" : "NOT MET");
    if (file) {
      file << (&limit == limits.data() ? "" : ",") << "{\"what\":\"" << limit.what
           << "\",\"unit\":\"" << limit.unit << "\",\"cordon\":" << limit.ours
           << ",\"official\":" << limit.theirs << ",\"ratio\":" << limit.ratio
           << ",\"bound\":" << limit.bound << ",\"met\":" << (holds ? "true" : "false") << '}';
    }
  }
  if (file) file << "]}\n";
  return met || !arguments.enforce ? 0 : 1;
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) {
  // What scripts/install_npm.sh prints.
  if (argc < 3 || std::string(argv[1]) != "--packages") {
    std::cerr << "usage: mcp_bench --packages DIR [--json FILE] [--enforce] [--rounds N]\n";
    return 2;
  }
  const std::string packages = argv[2];
  argv[2] = argv[0];
  return cordon::bench::Run(packages,
                            cordon::bench::ParseArguments(argc - 2, argv + 2, "mcp_bench", 7));
}
