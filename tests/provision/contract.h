// What all parts of the contract test share.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/provision/driver_under_test.h"

namespace cordon::provision {

struct Outcome {
  std::string out, err;
  ExecEnd end;
};

class Contract : public testing::Test {
 protected:
  static void SetUpTestSuite();
  void SetUp() override;
  void TearDown() override;

  static DriverUnderTest& under_test();
  static Driver& driver() { return under_test().driver(); }
  static Abilities abilities() { return under_test().abilities(); }

  static SandboxId NewId();
  static Terms TermsFor(const SandboxId& id);
  // Made, and destroyed after the test. A failure to make it ends the test.
  SandboxId Made();
  SandboxId Made(Terms terms);
  // To be destroyed after the test, whoever makes it.
  void Own(const SandboxId& id) { owned_.push_back(id); }

  static ExecTerms Shell(const std::string& script);
  static Result<Outcome> Run(const SandboxId& id, const ExecTerms& terms,
                             std::string_view input = {});
  static Outcome Sh(const SandboxId& id, const std::string& script);
  static Outcome Finish(Exec& exec);
  // What a program has said until it said `text`; or all, if it never does.
  static std::string Until(Exec& exec, std::string_view text);
  static bool Eventually(const std::function<bool()>& holds);
  static std::size_t CountOf(const SandboxId& id, std::string_view arguments);
  // A time to sleep that nobody else sleeps.
  static std::string Mark();

 private:
  std::vector<SandboxId> owned_;
};

}  // namespace cordon::provision
