// provision_bench [--idle N] [--json FILE] [--enforce] [--rounds N]
//
// What a sandbox costs. Of the local driver: until it is ready, for a program in it, and in
// memory while nothing happens in N of them; `docker run` takes turns with it, on an engine of
// the benchmark's own. Of every driver: until one that was made ahead is handed out.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "bench/provision_stage.h"
#include "bench/warm_pool.h"
#include "provision/docker_driver.h"
#include "tests/provision/docker_engine.h"

namespace cordon::bench {
namespace {

using cordon::testing::DockerEngine;

constexpr int kRounds = 25;
constexpr int kIdle = 1000;
constexpr int kSlowRounds = 5;  // of what takes a second to be made ahead
constexpr double kMegabyte = 1024.0 * 1024;
constexpr double kMostCreateMs = 25, kMostExecMs = 5, kMostIdleMb = 4, kMostHandOutMs = 5;
constexpr double kDockerShare = 0.1;

struct Line {
  std::string text;
  std::optional<double> measured;  // unset: it could not be
  double bound = 0;                // at most; 0: none
  std::string why = {};            // it could not be

  bool met() const { return bound == 0 || (measured && *measured <= bound); }
};
using Lines = std::vector<Line>;

double MemoryAvailable() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("MemAvailable:")) return 1024 * std::strtod(line.c_str() + 13, nullptr);
  }
  return 0;
}

std::string Text(const Line& line) {
  std::ostringstream text;
  text << (line.bound == 0 ? "    " : line.met() ? "met " : "NOT MET ") << line.text << ": ";
  if (line.measured) {
    text << *line.measured;
  } else {
    text << "could not be measured: " << line.why;
  }
  if (line.bound != 0) text << " (at most " << line.bound << ")";
  return text.str();
}

std::string Json(const Lines& lines, int rounds) {
  std::ostringstream measured;
  std::ostringstream limits;
  for (const Line& line : lines) {
    const std::string value = line.measured ? std::to_string(*line.measured) : "null";
    std::ostringstream& out = line.bound == 0 ? measured : limits;
    if (out.tellp() != 0) out << ",\n    ";
    if (line.bound == 0) {
      out << '"' << line.text << "\": " << value;
    } else {
      out << R"({"text": ")" << line.text << R"(", "measured": )" << value << R"(, "bound": )"
          << line.bound << R"(, "met": )" << (line.met() ? "true" : "false") << '}';
    }
  }
  return "{\n  \"rounds\": " + std::to_string(rounds) + ",\n  \"measured\": {\n    " +
         measured.str() + "\n  },\n  \"limits\": [\n    " + limits.str() + "\n  ]\n}\n";
}

bool HasDockerProgram() { return std::system("command -v docker >/dev/null") == 0; }

// One after the other in each round, so that whatever else the machine does meets all.
Lines OneAtATime(int rounds, DockerEngine* engine, std::string why) {
  if (engine != nullptr && !HasDockerProgram()) {
    engine = nullptr;
    why = "there is no program docker";
  }
  LocalStage stage;
  std::vector<double> create;
  std::vector<double> exec;
  std::vector<double> destroy;
  std::vector<double> outside;
  std::vector<double> docker;
  for (int round = 0; round < rounds; ++round) {
    const SandboxId id = NewSandbox();
    create.push_back(MillisecondsOf([&] { stage.Create(id); }));
    stage.RunTrue(id);  // once, so that what it reads is in memory
    exec.push_back(MillisecondsOf([&] { stage.RunTrue(id); }));
    destroy.push_back(MillisecondsOf([&] { stage.Destroy(id); }));
    outside.push_back(MillisecondsOf([] { RunOutside({"true"}); }));
    if (engine == nullptr) continue;
    docker.push_back(MillisecondsOf([&] {
      RunOutside({"docker", "--host", "unix://" + engine->socket(), "run", "--rm", "--network",
                  "none", DockerEngine::image(), "true"});
    }));
  }
  Lines lines = {{"create to ready, ms, median", Median(create), kMostCreateMs},
                 {"exec of true, ms, median", Median(exec), kMostExecMs},
                 {"create to ready, ms, best", Best(create)},
                 {"exec of true, ms, best", Best(exec)},
                 {"true outside, ms, median", Median(outside)},
                 {"destroy, ms, median", Median(destroy)}};
  Line share{"create / docker run", std::nullopt, kDockerShare, why};
  if (engine != nullptr) {
    lines.push_back({"docker run, ms, median", Median(docker)});
    share.measured = Median(create) / Median(docker);
  }
  lines.push_back(share);
  return lines;
}

Lines ManyIdle(int count) {
  LocalStage stage;
  std::vector<SandboxId> ids;
  std::vector<double> create;
  const double before = MemoryAvailable();
  for (int i = 0; i < count; ++i) {
    ids.push_back(NewSandbox());
    create.push_back(MillisecondsOf([&] { stage.Create(ids.back()); }));
  }
  // With what the kernel has for them.
  const double machine = (before - MemoryAvailable()) / count / kMegabyte;
  std::vector<double> bytes;
  for (const SandboxId& id : ids) bytes.push_back(stage.IdleBytes(id));
  const std::vector<double> last(create.end() - std::min<std::ptrdiff_t>(count, kRounds),
                                 create.end());
  for (const SandboxId& id : ids) stage.Destroy(id);
  const std::string of = " of " + std::to_string(count) + " idle ones";
  return {{"MB of their own, median" + of, Median(bytes) / kMegabyte, kMostIdleMb},
          {"MB less on the machine, each" + of, machine, kMostIdleMb},
          {"create to ready, ms, median of the last" + of, Median(last)}};
}

Line HandOut(const std::string& name, const std::vector<double>& times) {
  return {"from the warm pool, " + name + ", ms, median", Median(times), kMostHandOutMs};
}

Line DockerHandOut(const std::string& runtime, DockerEngine* engine, const std::string& why) {
  Line line{"from the warm pool, docker+" + runtime + ", ms, median", std::nullopt, kMostHandOutMs,
            why};
  if (engine == nullptr) return line;
  if (!engine->HasRuntime(runtime)) {
    line.why = "the engine has no runtime " + runtime;
    return line;
  }
  provision::DockerSettings settings;
  settings.socket = engine->socket();
  settings.runtime = runtime;
  settings.image = DockerEngine::image();
  settings.directory = engine->NewDirectory();
  settings.tools = CORDON_TOOLS;
  auto driver = provision::MakeDockerDriver(settings);
  if (!driver) FailProvision(driver.error().detail);
  const std::shared_ptr<provision::Driver> shared = std::move(*driver);
  provision::Wish wish;
  wish.driver = std::string(shared->name());
  line.measured = Median(HandOuts(shared, wish, kSlowRounds));
  return line;
}

Lines WarmPools(int rounds, DockerEngine* engine, const std::string& why) {
  LocalStage stage;
  Lines lines = {HandOut("local", HandOuts(stage.driver(), {}, rounds))};
  for (const char* runtime : {"runc", "runsc"}) {
    lines.push_back(DockerHandOut(runtime, engine, why));
  }
  return lines;
}

int Measure(const Arguments& arguments, int idle) {
  std::string why;
  DockerEngine* const engine = DockerEngine::Get(why);
  Lines lines = OneAtATime(arguments.rounds, engine, why);
  for (Line& line : WarmPools(arguments.rounds, engine, why)) lines.push_back(std::move(line));
  if (idle > 0) {
    for (Line& line : ManyIdle(idle)) lines.push_back(std::move(line));
  }
  bool met = true;
  for (const Line& line : lines) {
    std::cout << Text(line) << '\n';
    met = met && line.met();
  }
  if (!arguments.json.empty()) {
    std::ofstream out(arguments.json);
    out << Json(lines, arguments.rounds);
    if (!out.flush()) FailProvision("cannot write " + arguments.json);
  }
  return met || !arguments.enforce ? 0 : 1;
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) {
  int idle = cordon::bench::kIdle;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--idle" && i + 1 < argc) {
      idle = std::atoi(argv[++i]);
    } else {
      rest.push_back(argv[i]);
    }
  }
  rest.push_back(nullptr);
  const auto arguments = cordon::bench::ParseArguments(
      static_cast<int>(rest.size()) - 1, rest.data(), "provision_bench", cordon::bench::kRounds);
  return cordon::bench::Measure(arguments, idle);
}
