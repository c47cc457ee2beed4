#include "sandbox/resident_message.h"

#include <gtest/gtest.h>

namespace cordon::sandbox {
namespace {

Execute SomeExecute() {
  Execute execute;
  execute.arguments = {"sh", "-c", "true"};
  execute.environment = {"A=1"};
  execute.directory = "/workspace/x";
  execute.terminal = TerminalUse::kOwn;
  execute.rows = 50;
  execute.columns = 132;
  execute.bond = Execute::Bond::kDetached;
  execute.wall = std::chrono::milliseconds(7);
  execute.grace = std::chrono::milliseconds(9);
  return execute;
}

Seen SomeSeen() {
  Seen seen;
  seen.state = Seen::State::kFrozen;
  seen.cpu = std::chrono::microseconds(5);
  seen.memory = 1;
  seen.peak_memory = 2;
  seen.out_of_memory = 3;
  seen.held = {4, 5, 6};
  seen.layers = {Layer::kLandlock, Layer::kPidNamespace};
  seen.processes.push_back({7, 1, "sh", "sh -c x", 4096, std::chrono::milliseconds(8)});
  seen.ports = {80, 65535};
  return seen;
}

TEST(ResidentMessage, RequestsComeBackAsTheyWere) {
  for (const Request& request :
       {Request(SomeExecute()), Request(Dial{8080}), Request(Look{}), Request(Freeze{}),
        Request(Thaw{}), Request(Clear{}), Request(SignalOne{7, 15}), Request(Vanish{}),
        Request(Watch{}), Request(HandOut{}), Request(Glance{})}) {
    const auto decoded = DecodeRequest(Encode(request));
    ASSERT_TRUE(decoded) << request.index();
    EXPECT_EQ(*decoded, request);
  }
}

TEST(ResidentMessage, RepliesComeBackAsTheyWere) {
  for (const Reply& reply : {Reply(Dialled{111}), Reply(Done{3}), Reply(SomeSeen())}) {
    const auto decoded = DecodeReply(Encode(reply));
    ASSERT_TRUE(decoded) << reply.index();
    EXPECT_EQ(*decoded, reply);
  }
}

TEST(ResidentMessage, EveryCutIsRefused) {
  const std::string request = Encode(Request(SomeExecute()));
  const std::string reply = Encode(Reply(SomeSeen()));
  for (std::size_t size = 0; size < request.size(); ++size) {
    EXPECT_FALSE(DecodeRequest(request.substr(0, size))) << size;
  }
  for (std::size_t size = 0; size < reply.size(); ++size) {
    EXPECT_FALSE(DecodeReply(reply.substr(0, size))) << size;
  }
  EXPECT_FALSE(DecodeRequest(request + "x"));
  EXPECT_FALSE(DecodeReply(reply + "x"));
}

TEST(ResidentMessage, AProgramMustBeNamed) {
  Execute execute = SomeExecute();
  execute.arguments.clear();
  EXPECT_FALSE(DecodeRequest(Encode(Request(execute))));
}

TEST(ResidentMessage, AnEpitaphComesBackAsItWas) {
  const Epitaph epitaph{Epitaph::Cause::kVanished, Epitaph::Memory::kRanOut, 0, 9};
  const auto decoded = DecodeEpitaph(Encode(epitaph));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, epitaph);
  EXPECT_FALSE(DecodeEpitaph(""));
}

}  // namespace
}  // namespace cordon::sandbox
