// Where sandboxes are measured: a directory of their own, and the clocks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "provision/driver.h"

namespace cordon::bench {

// Ends the program.
[[noreturn]] void FailProvision(const std::string& why);

double MillisecondsOf(const std::function<void()>& work);
double Median(std::vector<double> values);  // 0: there are none
double Best(const std::vector<double>& values);
SandboxId NewSandbox();
// Runs a program outside any sandbox. Ends the program if that fails.
void RunOutside(std::vector<std::string> words);

// Gone with everything below it when this goes.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::string At(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The local driver in a directory.
class LocalStage {
 public:
  LocalStage();
  const std::shared_ptr<provision::Driver>& driver() { return driver_; }
  void Create(const SandboxId& id);
  void Destroy(const SandboxId& id);
  void RunTrue(const SandboxId& id);
  // What the two processes of a sandbox have for themselves.
  double IdleBytes(const SandboxId& id) const;

 private:
  ScratchDirectory scratch_;
  std::shared_ptr<provision::Driver> driver_;
};

}  // namespace cordon::bench
