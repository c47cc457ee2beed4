// The seam between the contract test and the drivers: each driver's test program has one
// source that defines MakeDriverUnderTest, and is otherwise the same.
#pragma once

#include <memory>
#include <string>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::provision {

// What a driver can hold on this machine; what it cannot is tested to be reported so.
struct Abilities {
  bool memory_limit = true;
  // A program that takes too much memory is ended, and the sandbox goes on; else it is ended with
  // it, and alone.
  bool outlives_memory_limit = true;
  bool process_limit = true;
  bool hides_first_process = true;  // what /proc tells of other users' processes
  bool network_allow_list = true;   // "allow:HOST" works
  bool reports_refusals = true;     // ExecEnd::refusals tells of what the line refused
  bool terminals = true;
  bool pauses = true;
  // The driver knows how a sandbox ended that died by force.
  bool tells_exit_status = true;
  // What ends programs that the sandbox's own end left: more time than a kernel needs.
  int patience_s = 20;
};

class DriverUnderTest {
 public:
  virtual ~DriverUnderTest() = default;
  virtual Driver& driver() = 0;
  virtual Abilities abilities() const = 0;
  // A second one over the same sandboxes, as a process has after the first was killed. The first
  // may go on being used.
  virtual Result<std::unique_ptr<Driver>> Another() = 0;
  // Ends what holds the sandbox, from outside and without asking it: kill -9.
  virtual Status KillByForce(const SandboxId& id) = 0;
  // What of it is left on this machine after Destroy, one thing a line; "": nothing.
  virtual std::string LeftOf(const SandboxId& id) = 0;
  // A path of the host that must be nothing inside, with something secret in it.
  virtual std::string SecretOfHost() = 0;
  // A script for `sh` that listens at the port inside, on loopback, says "listening", answers
  // one connection with "hello" and ends. The other scripts use sh and what POSIX has.
  virtual std::string ListenScript(int port) = 0;
  // A script that prints what the host's http://127.0.0.1:PORT/ says, by way of the proxy that
  // the variables name, and fails if it is not let through.
  virtual std::string FetchScript(int port) = 0;
  // As FileAccess says, for tests that look at files: the driver's own way in and out.
  virtual Result<std::string> ReadWorkspaceFile(const SandboxId& id, const std::string& name) = 0;
  virtual Status WriteWorkspaceFile(const SandboxId& id, const std::string& name,
                                    const std::string& content) = 0;
};

// Called once. `why_not`: why there is none here; then every test is skipped with it.
std::unique_ptr<DriverUnderTest> MakeDriverUnderTest(std::string& why_not);

}  // namespace cordon::provision
