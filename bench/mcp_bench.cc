// mcp_bench --packages DIR [--json FILE] [--enforce] [--rounds N]
//
// `cordon mcp` and the official file server, spoken to in the same way by the same native
// client: from start to first reply, 1 kB reads one at a time and pipelined, memory. Guard,
// audit log and undo journal are on. The two take turns, so that whatever else the machine
// does meets both; the median of the rounds' ratios is held against what must hold. The
// processor time of a pipelined read, the server's and the client's own, is told beside: it
// says what a throughput is made of, also where other programs use the machine.
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
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
  // Seconds of processor time for one pipelined read.
  double server_time = 0;
  double client_time = 0;
};

Seconds OwnProcessorTime() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

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
  const Seconds server = peer.ProcessorTime();
  const Seconds client = OwnProcessorTime();
  since = Clock::now();
  peer.Pipeline(kPipelined, kWindow, request);
  round.throughput = kPipelined / Seconds(Clock::now() - since).count();
  round.server_time = Seconds(peer.ProcessorTime() - server).count() / kPipelined;
  round.client_time = Seconds(OwnProcessorTime() - client).count() / kPipelined;
  round.memory = static_cast<double>(peer.ResidentKiB());
  return round;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Compared {
  std::string what;
  std::string unit;
  double ours = 0;
  double theirs = 0;
  double ratio = 0;  // such that more is worse
  std::optional<double> bound;

  bool holds() const { return !bound || ratio <= *bound; }
};

std::vector<Compared> Judge(const std::vector<Round>& ours, const std::vector<Round>& theirs) {
  const auto compare = [&](const std::string& what, const std::string& unit, double Round::*field,
                           double scale, std::optional<double> bound, double power) {
    std::vector<double> own;
    std::vector<double> other;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      own.push_back(ours[i].*field * scale);
      other.push_back(theirs[i].*field * scale);
      const double ratio = own.back() / other.back();
      ratios.push_back(power > 0 ? ratio : 1 / ratio);
    }
    return Compared{what, unit, Median(own), Median(other), Median(ratios), bound};
  };
  return {compare("start to first reply", "ms", &Round::start, 1e3, 1.0 / 20, 1),
          compare("one read at a time", "us", &Round::latency, 1e6, 1.0 / 5, 1),
          compare("pipelined reads", "/s", &Round::throughput, 1, 1.0 / 15, -1),
          compare("resident memory", "KiB", &Round::memory, 1, 1.0 / 6, 1),
          compare("processor, server", "us", &Round::server_time, 1e6, std::nullopt, 1),
          compare("processor, client", "us", &Round::client_time, 1e6, std::nullopt, 1)};
}

void Print(const Compared& one) {
  std::printf("%-22s %9.1f %-3s %9.1f %-3s %8.4f", one.what.c_str(), one.ours, one.unit.c_str(),
              one.theirs, one.unit.c_str(), one.ratio);
  if (one.bound) std::printf(" %8.4f %s", *one.bound, one.holds() ? "met" : "NOT MET");
  std::printf("\n");
}

enum class Bound { kHas, kHasNone };

void Write(std::ostream& file, const std::vector<Compared>& all, Bound which) {
  std::string_view between;
  for (const Compared& one : all) {
    if (one.bound.has_value() != (which == Bound::kHas)) continue;
    file << between << R"({"what":")" << one.what << R"(","unit":")" << one.unit << R"(","cordon":)"
         << one.ours << R"(,"official":)" << one.theirs << R"(,"ratio":)" << one.ratio;
    if (one.bound) {
      file << R"(,"bound":)" << *one.bound << R"(,"met":)" << (one.holds() ? "true" : "false");
    }
    file << '}';
    between = ",";
  }
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
  const std::vector<Compared> all = Judge(our_rounds, their_rounds);
  std::printf("%-22s %13s %13s %8s %8s\n", "", "cordon mcp", "official", "ratio", "bound");
  for (const Compared& one : all) Print(one);
  if (!arguments.json.empty()) {
    std::ofstream file(arguments.json);
    file << "{\"rounds\":" << arguments.rounds << ",\"limits\":[";
    Write(file, all, Bound::kHas);
    file << "],\"told\":[";
    Write(file, all, Bound::kHasNone);
    file << "]}\n";
  }
  const bool met = std::all_of(all.begin(), all.end(), [](const auto& one) { return one.holds(); });
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
