#include "cli/progress.h"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "platform/standard_output.h"

namespace cordon::cli {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kQuiet{500};
constexpr milliseconds kEvery{200};

}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)) {
  const char* const kind = std::getenv("TERM");
  const bool plain = kind == nullptr || std::string_view(kind) == "dumb";
  if (plain || !platform::StandardErrorIsTerminal()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { Show(stop); });
}

// The thread ends, and takes its line away, before the rest goes.
Progress::~Progress() = default;

void Progress::Tell(std::string detail) {
  const std::lock_guard lock(mutex_);
  detail_ = std::move(detail);
}

std::string Progress::Line(std::chrono::steady_clock::duration since) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since).count();
  std::string line = what_ + " ... " + std::to_string(seconds) + " s";
  if (!detail_.empty()) line.append(", ").append(detail_);
  return line;
}

void Progress::Show(const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  changed_.wait_for(lock, stop, kQuiet, never);
  while (!stop.stop_requested()) {
    std::cerr << "\r\x1b[K" << Line(std::chrono::steady_clock::now() - begin) << std::flush;
    changed_.wait_for(lock, stop, kEvery, never);
    if (stop.stop_requested()) std::cerr << "\r\x1b[K" << std::flush;
  }
}

}  // namespace cordon::cli
