#include "launch/door.h"

#include <optional>
#include <utility>

#include "platform/local_socket.h"
#include "platform/packet_socket.h"
#include "platform/passed_descriptors.h"
#include "platform/wait_events.h"

namespace cordon::launch {

using sandbox::Epitaph;

namespace {

constexpr std::size_t kMostStaying = 256;
constexpr std::size_t kMostBytes = 16;
constexpr std::uint32_t kUnknown = static_cast<std::uint32_t>(-1);

}  // namespace

Door::Door(int listener, int inside, int ended)
    : listener_(listener), inside_(inside), ended_(ended) {
  owner_ = platform::OwnUser().value_or(kUnknown);
  // Who comes sees by that whom to end if it does not answer; if not, it can still be told to.
  static_cast<void>(platform::TakeOverListener(listener_));
}

Epitaph::Cause Door::Keep() {
  using What = platform::Awaited::What;
  constexpr std::size_t kFixed = 3;
  for (;;) {
    std::vector<platform::Awaited> awaited(kFixed);
    awaited[0] = {listener_, What::kInput};
    awaited[1] = {inside_, What::kInput};
    awaited[2] = {ended_, What::kInput};
    for (const platform::UniqueFd& visitor : staying_) {
      awaited.push_back({visitor.get(), What::kHangUp});
    }
    platform::AwaitAny(awaited, std::nullopt);
    for (std::size_t i = staying_.size(); i-- > 0;) {
      if (awaited[kFixed + i].happened) staying_.erase(staying_.begin() + static_cast<long>(i));
    }
    if (awaited[1].happened && Hear()) return Epitaph::Cause::kVanished;
    if (awaited[2].happened) return Epitaph::Cause::kDied;
    if (awaited[0].happened) LetIn();
  }
}

void Door::LetIn() {
  const auto visitor = platform::AcceptPackets(listener_);
  if (!visitor) return;
  const auto user = platform::PeerUser(visitor->get());
  if (!user || *user != owner_ || owner_ == kUnknown) return;
  const int descriptor = visitor->get();
  // One that has ended takes nobody: that is seen elsewhere.
  static_cast<void>(platform::SendMessage(inside_, "c", {&descriptor, 1}));
}

bool Door::Hear() {
  auto message = platform::ReceiveMessage(inside_, kMostBytes);
  if (!message || message->descriptors.empty()) return false;
  if (message->bytes != kVisitorStays && message->bytes != kVisitorEndsAll) return false;
  if (message->bytes == kVisitorStays) {
    if (staying_.size() >= kMostStaying) return false;
    const std::string done = Encode(sandbox::Reply(sandbox::Done{0}));
    const int visitor = message->descriptors.front().get();
    if (!platform::SendMessage(visitor, done, {&ended_, 1})) return false;
  }
  staying_.push_back(std::move(message->descriptors.front()));
  return message->bytes == kVisitorEndsAll;
}

}  // namespace cordon::launch
