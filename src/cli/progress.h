// A line on the terminal that tells a person that something goes on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cordon::cli {

// Appears on standard error after half a second, and only if that is a terminal that can take a
// line away again; it does when this goes. Nothing else may be printed meanwhile. Thread safety:
// Tell by any thread.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How far it is: "12.5 MiB".
  void Tell(std::string detail);

 private:
  void Show(const std::stop_token& stop);
  std::string Line(std::chrono::steady_clock::duration since) const;

  const std::string what_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string detail_;
  std::jthread thread_;
};

}  // namespace cordon::cli
