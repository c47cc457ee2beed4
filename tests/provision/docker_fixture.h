// A Docker driver with a real engine, by each runtime.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

#include "platform/host.h"
#include "provision/docker_driver.h"
#include "tests/provision/docker_engine.h"

namespace cordon::provision {

inline SandboxId NewId() {
  std::array<std::uint8_t, SandboxId::kRandomBytes> random = {};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(platform::RandomNumber());
  return SandboxId::FromRandom(random);
}

struct Ran {
  std::string out, err;
  ExecEnd end;
};

inline Ran Finish(Exec& exec) {
  Ran ran;
  while (true) {
    const auto piece = exec.Read();
    EXPECT_TRUE(piece) << piece.error().detail;
    if (!piece || !*piece) break;
    ((*piece)->stream == Exec::Stream::kOut ? ran.out : ran.err) += (*piece)->bytes;
  }
  const auto end = exec.Wait();
  EXPECT_TRUE(end) << end.error().detail;
  if (end) ran.end = *end;
  return ran;
}

class DockerDriverTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string why;
    engine_ = testing::DockerEngine::Get(why);
    if (engine_ == nullptr) GTEST_SKIP() << why;
    if (!engine_->HasRuntime(GetParam())) {
      GTEST_SKIP() << "No container engine for this test: it has no runtime " << GetParam();
    }
    settings_.socket = engine_->socket();
    settings_.runtime = GetParam();
    settings_.image = testing::DockerEngine::image();
    settings_.directory = engine_->NewDirectory();
    settings_.tools = std::getenv("CORDON_TOOLS");
    settings_.owner = "test-" + std::to_string(platform::RandomNumber());
    driver_ = Open();
  }
  void TearDown() override {
    if (!driver_) return;
    const auto left = driver_->List();
    ASSERT_TRUE(left);
    for (const Found& one : *left) EXPECT_TRUE(driver_->Destroy(one.id));
  }
  std::unique_ptr<Driver> Open() {
    auto driver = MakeDockerDriver(settings_);
    EXPECT_TRUE(driver) << driver.error().detail;
    return driver ? std::move(*driver) : nullptr;
  }
  bool gvisor() const { return GetParam() == "runsc"; }
  Terms NewTerms() const {
    Terms terms{NewId(), "", {}, {}, "none", gvisor() ? Isolation::kGvisor : Isolation::kContainer};
    terms.resources = {1, std::uint64_t{192} << 20, 64, 0};
    return terms;
  }
  SandboxId Made() {
    const Terms terms = NewTerms();
    const auto facts = driver_->Create(terms);
    EXPECT_TRUE(facts) << facts.error().detail;
    return terms.id;
  }
  std::unique_ptr<Exec> Begin(const SandboxId& id, const ExecTerms& terms) {
    auto exec = driver_->Start(id, terms);
    EXPECT_TRUE(exec) << exec.error().detail;
    return exec ? std::move(*exec) : nullptr;
  }
  Ran Sh(const SandboxId& id, const std::string& line) {
    ExecTerms terms;
    terms.arguments = {"sh", "-c", line};
    auto exec = Begin(id, terms);
    if (!exec) return {};
    exec->CloseInput();
    return Finish(*exec);
  }

  testing::DockerEngine* engine_ = nullptr;
  DockerSettings settings_;
  std::unique_ptr<Driver> driver_;
};

}  // namespace cordon::provision
