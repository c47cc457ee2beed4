#include "remote/event_stream.h"

#include <gtest/gtest.h>

namespace cordon::remote {
namespace {

TEST(EventStream, TakesAStreamApartWhateverItsPieces) {
  const std::string stream =
      ": a comment\n\nevent: stdout\ndata: {\"data\":\"a\"}\n\ndata: x\ndata:y\nid: 7\n\nevent: "
      "end";
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    EventStream events;
    std::vector<EventStream::Event> seen;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      events.Add(std::string_view(stream).substr(at, piece));
      while (auto event = events.Next()) seen.push_back(*event);
    }
    ASSERT_EQ(seen.size(), 2U) << piece;
    EXPECT_EQ(seen[0].name, "stdout");
    EXPECT_EQ(seen[0].data, "{\"data\":\"a\"}");
    EXPECT_EQ(seen[1].name, "message");
    EXPECT_EQ(seen[1].data, "x\ny");
    EXPECT_EQ(events.pending(), std::string_view("event: end").size());
  }
}

}  // namespace
}  // namespace cordon::remote
