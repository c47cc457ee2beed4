// cordon-tools: Cordon's own hands in a sandbox that it cannot reach into. Static, mounted
// read-only; told what to do by its arguments.
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "inside/file_worker.h"
#include "inside/look.h"
#include "inside/relay.h"
#include "inside/run.h"
#include "inside/stay.h"
#include "platform/file_io.h"
#include "platform/inside_sandbox.h"

namespace {

using cordon::inside::RunTerms;
using Arguments = std::vector<std::string>;

constexpr int kUsage = 2;

std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// run DIRECTORY TIMEOUT_MS ROWS COLUMNS attached|detached PROGRAM [ARGUMENT...]; 0 rows: pipes.
int RunTask(const Arguments& arguments) {
  if (arguments.size() < 6) return kUsage;
  const auto timeout = Number(arguments[1]), rows = Number(arguments[2]),
             columns = Number(arguments[3]);
  if (!timeout || !rows || !columns) return kUsage;
  RunTerms terms;
  terms.directory = arguments[0];
  terms.timeout = std::chrono::milliseconds(*timeout);
  if (*rows != 0) {
    terms.terminal = {static_cast<std::uint16_t>(*rows), static_cast<std::uint16_t>(*columns)};
  }
  if (arguments[4] == "detached") terms.bond = RunTerms::Bond::kDetached;
  terms.arguments.assign(arguments.begin() + 5, arguments.end());
  return cordon::inside::RunProgram(terms);
}

// signal PROCESS NUMBER; 3: there is no such process.
int SignalTask(const Arguments& arguments) {
  if (arguments.size() != 2) return kUsage;
  const auto process = Number(arguments[0]), signal = Number(arguments[1]);
  if (!process || *process <= 1 || !signal || *signal < 0 || *signal > 64) return kUsage;
  const cordon::Status done = cordon::platform::SignalNumbered(*process, static_cast<int>(*signal));
  if (done) return 0;
  return done.error().code == cordon::ErrorCode::kNotFound ? 3 : 1;
}

// clear: ends whatever else this user runs here.
int ClearTask() {
  constexpr int kTries = 50, kAll = -1;
  constexpr std::chrono::milliseconds kBetween{10};
  for (int tries = 0; tries < kTries; ++tries) {
    // Those that have ended are counted until the first process has taken note of it.
    if (!cordon::platform::SignalNumbered(kAll, SIGKILL)) break;
    std::this_thread::sleep_for(kBetween);
  }
  return 0;
}

int Perform(const std::string& task, const Arguments& arguments) {
  if (task == "run") return RunTask(arguments);
  if (task == "signal") return SignalTask(arguments);
  if (task == "clear" && arguments.empty()) return ClearTask();
  if (task == "look" && arguments.empty()) {
    const std::string text = Encode(cordon::inside::LookAround());
    return cordon::platform::WriteAll(1, text) ? 0 : 1;
  }
  if (task == "relay" && arguments.empty()) return cordon::inside::RelayPorts();
  if (task == "files" && arguments.empty()) return cordon::inside::ServeFiles();
  if (task == "stay") return cordon::inside::Stay();
  return kUsage;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return kUsage;
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): a reader that goes is an error value
  return Perform(arguments[1], Arguments(arguments + 2, arguments + count));
}
