// One Root, many threads: const methods may run concurrently.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Concurrency : public PerResolver {};
CORDON_PER_RESOLVER(Concurrency);

constexpr int kThreads = 4;
constexpr int kRounds = 100;

TEST_P(Concurrency, OneRootServesManyThreads) {
  Given({FileWith("root/d/f", "inside"), Link("root/l", "d/f"), Link("root/out", "../outside"),
         FileWith("root/.env", "K")});
  const auto root = Open();
  std::atomic<int> wrong = 0;
  const auto work = [&](int number) {
    const std::string own = "d/own" + std::to_string(number);
    for (int round = 0; round < kRounds; ++round) {
      auto file = root.Open("l", confine::OpenMode::kRead);
      if (!file || file->ReadAll(64).value_or("") != "inside") ++wrong;
      const auto outside = root.Open("out/secret", confine::OpenMode::kRead);
      if (outside || outside.error().code != ErrorCode::kPathOutsideProject) ++wrong;
      const auto denied = root.Probe(".env", Operation::kRead);
      if (denied || denied.error().code != ErrorCode::kPathDenied) ++wrong;
      auto replacement = root.Replace(own);
      if (!replacement || !replacement->Write(own) || !replacement->Commit()) ++wrong;
      if (!root.List("d")) ++wrong;
      if (!root.MkdirAll(own + "d/x/y") || !root.RemoveAll(own + "d")) ++wrong;
      if (!root.Rename(own, root, own + "2") || !root.Remove(own + "2")) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(work, number);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const auto entries = root.List("d");
  ASSERT_TRUE(entries.has_value());
  EXPECT_EQ(entries->size(), 1U) << "something was left behind";
}

}  // namespace
}  // namespace cordon::testing
