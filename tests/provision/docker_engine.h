// A Docker engine of the tests' own, started and removed by engine.py.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

namespace cordon::testing {

// Ends when the program ends, or dies; everything of it is removed.
class DockerEngine {
 public:
  // The one of this program, started when it is first asked for. Null: it cannot be had here,
  // for the reason in `why`.
  static DockerEngine* Get(std::string& why);
  ~DockerEngine();
  DockerEngine(const DockerEngine&) = delete;
  DockerEngine& operator=(const DockerEngine&) = delete;

  const std::string& socket() const { return socket_; }
  // What busybox has, and an empty /workspace.
  static std::string image() { return "cordon-test:1"; }
  bool HasRuntime(const std::string& runtime) const;
  // A new directory for a driver.
  std::string NewDirectory();
  // What `path` of the API answers, by GET.
  std::string Ask(const std::string& path) const;

 private:
  DockerEngine() = default;
  bool Start(std::string& why);

  std::string folder_, socket_;
  pid_t keeper_ = -1;
  int input_ = -1;  // the keeper's: when it ends, so does the engine
  int directories_ = 0;
};

}  // namespace cordon::testing
