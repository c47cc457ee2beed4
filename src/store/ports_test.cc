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

TEST_P(Ports, PreviewsArePrivateUntilToldOtherwise) {
  using Visibility = Sandbox::Visibility;
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  ASSERT_DONE(store_->AddSandbox(SandboxOf(2), kMany));
  EXPECT_EQ(Found(1).visibility, Visibility::kPrivate);
  ASSERT_DONE(store_->SetVisibility(IdOf(1), Visibility::kPublic));
  ASSERT_DONE(store_->SetVisibility(IdOf(1), Visibility::kPublic));
  EXPECT_EQ(Found(1).visibility, Visibility::kPublic);
  EXPECT_EQ(Found(2).visibility, Visibility::kPrivate);
  ASSERT_DONE(store_->SetVisibility(IdOf(1), Visibility::kPrivate));
  EXPECT_EQ(Found(1).visibility, Visibility::kPrivate);
  EXPECT_CODE(store_->SetVisibility(IdOf(3), Visibility::kPublic), ErrorCode::kNotFound);
}

TEST_P(Ports, AreForSandboxesThatAreThere) {
  EXPECT_CODE(store_->ReservePort(IdOf(1), {30000}), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  EXPECT_CODE(store_->ReservePort(IdOf(1), {0}), ErrorCode::kIoError);
}

// As callers order them: each begins at a place of its own.
std::vector<std::uint16_t> PortsFor(std::uint64_t number) {
  std::vector<std::uint16_t> ports(10'000);
  for (std::uint64_t i = 0; i < ports.size(); ++i) {
    ports[i] = static_cast<std::uint16_t>(30'000 + (number * 7919 + i) % ports.size());
  }
  return ports;
}

TEST_P(Ports, AllTenThousandCanBeTaken) {
  std::set<std::uint16_t> taken;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    ASSERT_DONE(store_->AddSandbox(PooledOf(i), 0));
    taken.insert(store_->ReservePort(IdOf(i), PortsFor(i)).value());
  }
  EXPECT_EQ(taken.size(), 10'000u);
  ASSERT_DONE(store_->AddSandbox(PooledOf(10'000), 0));
  EXPECT_CODE(store_->ReservePort(IdOf(10'000), PortsFor(3)), ErrorCode::kLimitExceeded);
  if (InMemory()) return;
  Reopen();
  EXPECT_CODE(store_->ReservePort(IdOf(10'000), PortsFor(3)), ErrorCode::kLimitExceeded);
  const std::uint16_t freed = Found(17).port.value();
  ASSERT_DONE(store_->ReleasePort(IdOf(17)));
  EXPECT_EQ(store_->ReservePort(IdOf(10'000), PortsFor(3)).value(), freed);
}

// When every port is taken but one, far from where the search begins.
TEST_P(Ports, TheLastIsFound) {
  for (std::uint64_t i = 0; i < 41; ++i) ASSERT_DONE(store_->AddSandbox(PooledOf(i), 0));
  std::vector<std::uint16_t> ports;
  for (std::uint16_t port = 30000; port < 30041; ++port) ports.push_back(port);
  for (std::uint64_t i = 0; i < 41; ++i) {
    EXPECT_EQ(store_->ReservePort(IdOf(i), ports).value(), 30000 + i);
  }
}

}  // namespace
}  // namespace cordon::store
