// run_behind [--plain] [--ask-read] WORKSPACE COMMAND...: one command behind a warden, or without
// one, to look at and to measure with.
#include <chrono>
#include <iostream>
#include <string_view>

#include "tests/warden/behind_warden.h"

int main(int count, char** arguments) {
  cordon::warden_test::Terms terms;
  terms.own_streams = false;
  int at = 1;
  if (at < count && std::string_view(arguments[at]) == "--plain") {
    terms.supervised = false;
    ++at;
  }
  if (at + 1 >= count) return 2;
  terms.spec = cordon::warden_test::SpecFor(arguments[at++]);
  const std::vector<std::string> command(arguments + at, arguments + count);
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = cordon::warden_test::RunBehind(terms, command);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  for (const auto& refused : outcome.refused) {
    std::cerr << "refused " << cordon::OperationName(refused.operation) << " " << refused.path
              << " by " << refused.rule << " (" << refused.program << ")\n";
  }
  std::cerr << "status " << outcome.status << ", " << took.count() << " s\n";
  return outcome.status;
}
