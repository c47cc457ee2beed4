// audit_bench [--json FILE] [--enforce] [--rounds N]
//
// What the audit log takes and what a record costs. Every round runs each contender
// once, in an order that turns from round to round, so that whatever else the machine
// does meets all of them. The median of the rounds is held against what must be taken; the
// best round, and processor time, tell how much of it other work on the machine cost.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "audit/log.h"
#include "audit/verify.h"
#include "bench/arguments.h"

namespace cordon::bench {
namespace {

using audit::Durability;
using audit::Log;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kRounds = 15;
constexpr int kThreads = 4;
constexpr int kProcesses = 2;
constexpr int kPerThread = 5000;
constexpr int kSingle = 5000;
constexpr int kOnDisk = 5;
constexpr double kWantedPerSecond = 200'000;

[[noreturn]] void Fail(const std::string& why) {
  std::cerr << "audit_bench: " << why << '\n';
  std::_Exit(2);
}

// A log of its own in a directory that goes when it does.
class Stage {
 public:
  Stage() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) Fail("cannot make a directory");
    path_ = name;
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  audit::LogPlace place() const { return {path_ + "/audit.jsonl", path_ + "/audit.key"}; }
  std::shared_ptr<Log> Open() const {
    auto log = Log::Open(place(), {}, Authority());
    if (!log) Fail(log.error().detail);
    return *log;
  }
  static confine::AmbientAuthority Authority() {
    return confine::AmbientAuthority::OfThisProcess();
  }

 private:
  std::string path_;
};

// As the guard records a read: about 420 bytes a line.
audit::Record TypicalRecord() {
  audit::Record record;
  record.event = audit::Event::kFileRead;
  record.session = "0f8a6c1e5b7d4923";
  record.actor = "agent";
  record.tool = "read";
  record.operation = Operation::kRead;
  record.asked = "src/audit/log.cc";
  record.resolved = "/home/you/project/src/audit/log.cc";
  record.decision = audit::Decision::kAllowed;
  record.rule = "workspace";
  record.tier = audit::Tier::kPolicy;
  record.duration_ns = 12345;
  return record;
}

void AppendMany(Log& log, int count, Durability durability) {
  const audit::Record record = TypicalRecord();
  for (int i = 0; i < count; ++i) {
    auto appended = log.Append(record, durability);
    if (!appended) Fail(appended.error().detail);
  }
}

void InThreads(Log& log, int threads) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&log] { AppendMany(log, kPerThread, Durability::kWithKernel); });
  }
  for (std::thread& thread : running) thread.join();
}

// Of this process and of those it has waited for.
double CpuSeconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
  }
  return seconds;
}

double SecondsOf(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return Seconds(Clock::now() - start).count();
}

// Records a second.
double FourThreads(const Stage& stage) {
  const auto log = stage.Open();
  return kThreads * kPerThread / SecondsOf([&] { InThreads(*log, kThreads); });
}

double OneThread(const Stage& stage) {
  const auto log = stage.Open();
  return kSingle / SecondsOf([&] { AppendMany(*log, kSingle, Durability::kWithKernel); });
}

double OnDisk(const Stage& stage) {
  const auto log = stage.Open();
  return kOnDisk / SecondsOf([&] { AppendMany(*log, kOnDisk, Durability::kOnDisk); });
}

// Each process tells how long its own appends took; the slowest counts.
double TwoProcesses(const Stage& stage) {
  int results[2];
  if (::pipe(results) != 0) Fail("pipe");
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child < 0) Fail("fork");
    if (child == 0) {
      const auto log = stage.Open();
      const double took = SecondsOf([&] { InThreads(*log, kThreads / kProcesses); });
      const bool told = ::write(results[1], &took, sizeof took) == sizeof took;
      std::_Exit(told ? 0 : 1);
    }
    children.push_back(child);
  }
  double slowest = 0;
  for (const pid_t child : children) {
    double took = 0;
    if (::read(results[0], &took, sizeof took) != sizeof took) Fail("a process failed");
    slowest = std::max(slowest, took);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) Fail("a process failed");
  }
  ::close(results[0]);
  ::close(results[1]);
  return kThreads * kPerThread / slowest;
}

struct Contender {
  std::string name;
  std::string text;
  std::function<double(const Stage&)> run;
  int records = 0;    // of one run
  double wanted = 0;  // records a second; 0: only told
  std::vector<double> rates;
  std::vector<double> cpu_us;  // a record
};

double Quantile(std::vector<double> values, double q) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double Best(const Contender& contender) { return Quantile(contender.rates, 1); }

std::string Line(const Contender& contender) {
  const double rate = Quantile(contender.rates, 0.5);
  char text[200];
  std::snprintf(text, sizeof text,
                "%-30s %9.0f records/s (best %.0f)  %8.2f us a record (best %.2f, processor %.2f)",
                contender.text.c_str(), rate, Best(contender), 1e6 / rate, 1e6 / Best(contender),
                Quantile(contender.cpu_us, 0.5));
  return text;
}

bool Met(const Contender& contender) { return Quantile(contender.rates, 0.5) >= contender.wanted; }

std::string Json(const std::vector<Contender>& contenders, double verified, int rounds) {
  std::string text = "{\n  \"rounds\": " + std::to_string(rounds) + ",\n";
  for (const Contender& contender : contenders) {
    const double rate = Quantile(contender.rates, 0.5);
    text += "  \"" + contender.name + "\": {\"records_per_second\": " + std::to_string(rate) +
            ", \"best\": " + std::to_string(Best(contender)) +
            ", \"ns_per_record\": " + std::to_string(1e9 / rate) +
            ", \"cpu_ns_per_record\": " + std::to_string(1e3 * Quantile(contender.cpu_us, 0.5)) +
            "},\n";
  }
  text += "  \"limits\": [{\"text\": \"records/s from four threads\", \"measured\": " +
          std::to_string(Quantile(contenders[0].rates, 0.5)) +
          ", \"bound\": " + std::to_string(kWantedPerSecond) +
          ", \"met\": " + (Met(contenders[0]) ? "true" : "false") + "}],\n";
  return text + "  \"verify_mb_per_second\": " + std::to_string(verified) + "\n}\n";
}

// What was written must also be right, or its speed says nothing.
double VerifiedMegabytesPerSecond(const Stage& stage) {
  const double bytes =
      static_cast<double>(std::filesystem::file_size(stage.place().log_file)) / 1e6;
  return bytes / SecondsOf([&] {
           const auto verified = audit::Verify(stage.place(), {}, Stage::Authority());
           if (!verified) Fail(verified.error().detail);
           if (verified->damage) Fail(verified->damage->detail);
         });
}

int Main(int argc, char** argv) {
  const Arguments arguments = ParseArguments(argc, argv, "audit_bench", kRounds);
  std::vector<Contender> contenders{
      {"four_threads",
       "four threads",
       FourThreads,
       kThreads * kPerThread,
       kWantedPerSecond,
       {},
       {}},
      {"one_thread", "one thread", OneThread, kSingle, 0, {}, {}},
      {"two_processes",
       "two processes of two threads",
       TwoProcesses,
       kThreads * kPerThread,
       0,
       {},
       {}},
      {"on_disk", "one thread, each on the disk", OnDisk, kOnDisk, 0, {}, {}},
  };
  double verified = 0;
  for (int round = 0; round < arguments.rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const Stage stage;
      Contender& turn = contenders[(i + static_cast<std::size_t>(round)) % contenders.size()];
      const double before = CpuSeconds();
      turn.rates.push_back(turn.run(stage));
      turn.cpu_us.push_back(1e6 * (CpuSeconds() - before) / turn.records);
      if (turn.name == "four_threads") verified = VerifiedMegabytesPerSecond(stage);
    }
  }
  for (const Contender& contender : contenders) std::cout << Line(contender) << '\n';
  std::cout << "verify: " << verified << " MB/s\n"
            << (Met(contenders[0]) ? "met" : "NOT MET") << ": at least " << kWantedPerSecond
            << " records/s from four threads\n";
  if (!arguments.json.empty()) {
    std::ofstream out(arguments.json);
    out << Json(contenders, verified, arguments.rounds);
    if (!out.flush()) Fail("cannot write " + arguments.json);
  }
  return arguments.enforce && !Met(contenders[0]) ? 1 : 0;
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) { return cordon::bench::Main(argc, argv); }
