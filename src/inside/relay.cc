#include "inside/relay.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inside/relay_wire.h"
#include "platform/child_process.h"
#include "platform/inside_sandbox.h"
#include "platform/loopback.h"

namespace cordon::inside {
namespace {

using platform::Readiness;
using Kind = RelayFrame::Kind;

constexpr int kInput = 0, kOutput = 1;
// Whoever listens and takes nobody for so long holds up the other connections of its sandbox.
constexpr std::chrono::milliseconds kPatience{5000};
constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kMostUnsaid = std::size_t{1} << 20;

class Relay {
 public:
  // False: it is over.
  bool Step();

 private:
  struct Joined {
    platform::UniqueFd socket;
    RelayedSocket state;
  };
  bool Listen();
  bool Obey(const RelayFrame& frame);
  void Open(const RelayFrame& frame);
  bool Say();

  RelayReader heard_;
  std::string unsaid_;
  std::map<std::uint32_t, Joined> joined_;
};

bool Relay::Step() {
  std::vector<Readiness> these = {
      {kInput, Readiness::For::kRead},
      {unsaid_.empty() ? -1 : kOutput, Readiness::For::kWrite},
  };
  // While little of what was said is taken, nothing more is read.
  const bool room = unsaid_.size() < kMostUnsaid;
  for (const auto& [number, one] : joined_) {
    const int socket = one.socket.get();
    these.push_back({room && one.state.wants_to_read() ? socket : -1, Readiness::For::kRead});
    these.push_back({one.state.wants_to_write() ? socket : -1, Readiness::For::kWrite});
  }
  platform::AwaitReady(these, std::nullopt);
  std::size_t at = 2;
  for (auto& [number, one] : joined_) {
    if (these[at].ready || these[at + 1].ready) one.state.Move(one.socket.get(), unsaid_);
    at += 2;
  }
  if (these[0].ready && !Listen()) return false;
  std::erase_if(joined_, [](const auto& one) { return one.second.state.over(); });
  return unsaid_.empty() || Say();
}

bool Relay::Listen() {
  const auto bytes = platform::ReadNow(kInput, kPiece);
  if (bytes && !*bytes) return true;
  if (!bytes || (*bytes)->empty()) return false;
  heard_.Take(**bytes);
  while (true) {
    const Result<std::optional<RelayFrame>> frame = heard_.Next();
    if (!frame) return false;
    if (!*frame) return true;
    if (!Obey(**frame)) return false;
  }
}

bool Relay::Obey(const RelayFrame& frame) {
  const auto found = joined_.find(frame.connection);
  if (frame.kind == Kind::kOpen) {
    if (found != joined_.end() || frame.bytes.size() != 2) return false;
    Open(frame);
    return true;
  }
  if (found == joined_.end()) return true;  // it was over before that was known there
  if (!found->second.state.Take(frame)) return false;
  found->second.state.Move(found->second.socket.get(), unsaid_);
  return true;
}

void Relay::Open(const RelayFrame& frame) {
  const auto port = static_cast<std::uint16_t>(static_cast<unsigned char>(frame.bytes[0]) << 8 |
                                               static_cast<unsigned char>(frame.bytes[1]));
  Result<platform::UniqueFd> stream =
      joined_.size() < kMostRelayed ? platform::DialLoopback(port, kPatience) : Error{};
  unsaid_ += Encode(stream ? Kind::kOpened : Kind::kRefused, frame.connection);
  if (!stream) return;
  platform::NeverBlock(stream->get());
  joined_.emplace(frame.connection, Joined{std::move(*stream), RelayedSocket(frame.connection)});
}

bool Relay::Say() {
  const auto count = platform::WriteNow(kOutput, unsaid_.data(), unsaid_.size());
  if (!count) return false;
  unsaid_.erase(0, *count);
  return true;
}

}  // namespace

int RelayPorts() {
  if (!platform::SetTraceable(platform::Traceable::kNo)) return 1;
  for (const int one : {kInput, kOutput}) platform::NeverBlock(one);
  Relay relay;
  while (relay.Step()) continue;
  return 0;
}

}  // namespace cordon::inside
