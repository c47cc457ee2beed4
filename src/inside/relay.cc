#include "inside/relay.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "platform/inside_sandbox.h"
#include "platform/loopback.h"

namespace cordon::inside {
namespace {

using platform::Readiness;

constexpr int kInput = 0, kOutput = 1;
// Once nothing more can be asked. Whether anybody still listens for answers cannot be seen.
constexpr std::int64_t kSilenceMs = 60'000;
constexpr std::chrono::milliseconds kPatience{10'000};
constexpr std::size_t kPiece = std::size_t{64} << 10;

// One direction; holds one piece at a time.
struct Way {
  int from, to;
  bool reading = true;
  std::string held = {};

  bool open() const { return reading || !held.empty(); }
  Readiness Wish() const {
    if (!held.empty()) return {to, Readiness::For::kWrite};
    return {reading ? from : -1, Readiness::For::kRead};
  }
  // False: nothing can be done for it any more.
  bool Move() {
    if (held.empty()) {
      auto bytes = platform::ReadNow(from, kPiece);
      if (bytes && !*bytes) return true;
      if (!bytes || (*bytes)->empty()) {
        reading = false;
        return bytes.has_value();
      }
      held = std::move(**bytes);
    }
    const auto count = platform::WriteNow(to, held.data(), held.size());
    if (!count) return false;
    held.erase(0, *count);
    return true;
  }
};

}  // namespace

int RelayToPort(std::uint16_t port) {
  const Result<platform::UniqueFd> stream = platform::DialLoopback(port, kPatience);
  const char answer = stream ? kConnected : kNobodyListens;
  const Result<std::size_t> told = platform::WriteNow(kOutput, &answer, 1);
  if (!stream || !told) return 1;
  for (const int one : {kInput, kOutput, stream->get()}) platform::NeverBlock(one);
  Way there{kInput, stream->get()}, back{stream->get(), kOutput};
  // When the port has nothing more to say, the connection is over: nobody could be told apart.
  while (back.open()) {
    std::vector<Readiness> these = {there.open() ? there.Wish() : Readiness{}, back.Wish()};
    std::optional<std::int64_t> patience;
    if (!there.open()) patience = kSilenceMs;
    platform::AwaitReady(these, patience);
    if (patience && !these[1].ready) return 0;
    if (these[0].ready) {
      const bool was_reading = there.reading;
      if (!there.Move()) there = Way{-1, -1, false};
      if (was_reading && !there.reading) platform::EndSending(stream->get());
    }
    if (these[1].ready && !back.Move()) return 0;
  }
  return 0;
}

}  // namespace cordon::inside
