#include "mcp/waiting_room.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cordon::mcp {
namespace {

using Place = std::unique_ptr<WaitingRoom::Place>;

constexpr std::array<char, 4> kSessions = {};

WaitingRoom::Guest Of(std::string principal, int session) {
  return {std::move(principal), &kSessions.at(static_cast<std::size_t>(session))};
}

TEST(WaitingRoom, TheSessionWithMostPlacesMakesRoom) {
  WaitingRoom room(4);
  std::vector<Place> many;
  many.push_back(room.Enter(Of("p", 1), {}));
  many.push_back(room.Enter(Of("p", 0), {}));
  many.push_back(room.Enter(Of("p", 0), {}));
  many.push_back(room.Enter(Of("p", 0), {}));
  EXPECT_EQ(room.Enter(Of("p", 0), {}), nullptr);  // its own would have to go
  const Place other = room.Enter(Of("p", 2), {});
  ASSERT_TRUE(other);
  EXPECT_FALSE(many[0]->stop().stop_requested());
  EXPECT_TRUE(many[1]->stop().stop_requested());
  EXPECT_FALSE(many[2]->stop().stop_requested());
  EXPECT_FALSE(other->stop().stop_requested());
}

TEST(WaitingRoom, ManySessionsOfOnePrincipalAreOneParty) {
  WaitingRoom room(3);
  const Place a = room.Enter(Of("many", 0), {});
  const Place b = room.Enter(Of("many", 1), {});
  const Place c = room.Enter(Of("many", 2), {});
  EXPECT_EQ(room.Enter(Of("many", 3), {}), nullptr);
  const Place other = room.Enter(Of("few", 3), {});
  ASSERT_TRUE(other);
  EXPECT_TRUE(a->stop().stop_requested());
  EXPECT_FALSE(b->stop().stop_requested());
  EXPECT_EQ(room.Enter(Of("many", 3), {}), nullptr);
}

TEST(WaitingRoom, PlacesAreGivenBackAndStopWithTheirRequest) {
  WaitingRoom room(1);
  std::stop_source request;
  Place place = room.Enter(Of("p", 0), request.get_token());
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->stop().stop_requested());
  request.request_stop();
  EXPECT_TRUE(place->stop().stop_requested());
  EXPECT_EQ(room.Enter(Of("q", 1), {}), nullptr);  // one each is fair
  place.reset();
  EXPECT_TRUE(room.Enter(Of("q", 1), {}));
}

}  // namespace
}  // namespace cordon::mcp
