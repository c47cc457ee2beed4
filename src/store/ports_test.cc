#include <set>

#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

class Ports : public StoreTest {};
STORE_TEST_EVERYWHERE(Ports);

TEST_P(Ports, TheFirstThatIsNobodys) {
  for (std::uint64_t i = 1; i <= 3; ++i) ASSERT_DONE(store_->AddSandbox(SandboxOf(i), kMany));
  EXPECT_EQ(store_->ReservePort(IdOf(1), {30005, 30001}).value(), 30005);
  EXPECT_EQ(store_->ReservePort(IdOf(2), {30005, 30001}).value(), 30001);
  EXPECT_CODE(store_->ReservePort(IdOf(3), {30005, 30001}), ErrorCode::kLimitExceeded);
  EXPECT_CODE(store_->ReservePort(IdOf(3), {}), ErrorCode::kLimitExceeded);
  EXPECT_EQ(Found(1).port, 30005);
  EXPECT_FALSE(Found(3).port);
}

TEST_P(Ports, AreKeptUntilTheyAreReleased) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  ASSERT_DONE(store_->AddSandbox(SandboxOf(2), kMany));
  EXPECT_EQ(store_->ReservePort(IdOf(1), {30000}).value(), 30000);
  EXPECT_EQ(store_->ReservePort(IdOf(1), {30009}).value(), 30000) << "it has one already";
  ASSERT_DONE(store_->ReleasePort(IdOf(1)));
  ASSERT_DONE(store_->ReleasePort(IdOf(1)));
  EXPECT_FALSE(Found(1).port);
  EXPECT_EQ(store_->ReservePort(IdOf(2), {30000}).value(), 30000);
}

TEST_P(Ports, AreForSandboxesThatAreThere) {
  EXPECT_CODE(store_->ReservePort(IdOf(1), {30000}), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  EXPECT_CODE(store_->ReservePort(IdOf(1), {0}), ErrorCode::kIoError);
}

TEST_P(Ports, AllTenThousandCanBeTaken) {
  std::vector<std::uint16_t> ports;
  for (std::uint16_t port = 30000; port < 40000; ++port) ports.push_back(port);
  const std::uint64_t count = InMemory() ? ports.size() : 200;  // each costs a write to the disk
  ports.resize(count);
  std::set<std::uint16_t> taken;
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSERT_DONE(store_->AddSandbox(SandboxOf(i), count));
    taken.insert(store_->ReservePort(IdOf(i), ports).value());
  }
  EXPECT_EQ(taken.size(), count);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(count), count + 1));
  EXPECT_CODE(store_->ReservePort(IdOf(count), ports), ErrorCode::kLimitExceeded);
  if (InMemory()) return;
  Reopen();
  EXPECT_CODE(store_->ReservePort(IdOf(count), ports), ErrorCode::kLimitExceeded);
  ASSERT_DONE(store_->ReleasePort(IdOf(17)));
  EXPECT_EQ(store_->ReservePort(IdOf(count), ports).value(), 30017);
}

}  // namespace
}  // namespace cordon::store
