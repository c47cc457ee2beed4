#include "inside/relay_wire.h"

#include <algorithm>
#include <utility>

#include "platform/inside_sandbox.h"
#include "platform/socket_pair.h"

namespace cordon::inside {
namespace {

constexpr std::size_t kHead = 9;
constexpr std::string_view kKinds = "oyndexg";

void AppendNumber(std::string& to, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    to += static_cast<char>(static_cast<unsigned char>(number >> shift));
  }
}

std::uint32_t Number(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

std::string Encode(RelayFrame::Kind kind, std::uint32_t connection, std::string_view bytes) {
  std::string frame(1, static_cast<char>(kind));
  AppendNumber(frame, connection);
  AppendNumber(frame, static_cast<std::uint32_t>(bytes.size()));
  frame += bytes;
  return frame;
}

std::string EncodeGrant(std::uint32_t connection, std::uint32_t count) {
  std::string bytes;
  AppendNumber(bytes, count);
  return Encode(RelayFrame::Kind::kGrant, connection, bytes);
}

Result<std::optional<RelayFrame>> RelayReader::Next() {
  const std::string_view left = std::string_view(held_).substr(read_);
  const auto more = [this] {
    held_.erase(0, read_);
    read_ = 0;
    return std::optional<RelayFrame>();
  };
  if (left.size() < kHead) return more();
  const std::size_t size = Number(left.substr(5, 4));
  if (size > kLongestRelayed || kKinds.find(left[0]) == std::string_view::npos) {
    Error error;
    error.op = "relay";
    error.detail = "A frame cannot be read.";
    return error;
  }
  if (left.size() < kHead + size) return more();
  RelayFrame frame;
  frame.kind = static_cast<RelayFrame::Kind>(left[0]);
  frame.connection = Number(left.substr(1, 4));
  frame.bytes = left.substr(kHead, size);
  read_ += kHead + size;
  return std::optional<RelayFrame>(std::move(frame));
}

bool RelayedSocket::Take(const RelayFrame& frame) {
  switch (frame.kind) {
    case RelayFrame::Kind::kData:
      if (frame.bytes.size() > their_window_ || ended_) return false;
      their_window_ -= static_cast<std::uint32_t>(frame.bytes.size());
      held_ += frame.bytes;
      return true;
    case RelayFrame::Kind::kEnd: ended_ = true; return true;
    case RelayFrame::Kind::kGone: over_ = true; return true;
    case RelayFrame::Kind::kGrant: {
      const std::uint32_t count = Number(frame.bytes);
      if (frame.bytes.size() != 4 || count > kRelayWindow - window_) return false;
      window_ += count;
      return true;
    }
    default: return false;
  }
}

void RelayedSocket::Break(std::string& to_say) {
  if (!std::exchange(over_, true)) to_say += Encode(RelayFrame::Kind::kGone, number_);
}

void RelayedSocket::Move(int socket, std::string& to_say) {
  if (over_) return;
  if (!held_.empty()) {
    const Result<std::size_t> sent = platform::SendNow(socket, held_);
    if (!sent) return Break(to_say);
    held_.erase(0, *sent);
    their_window_ += static_cast<std::uint32_t>(*sent);
    if (*sent > 0) to_say += EncodeGrant(number_, static_cast<std::uint32_t>(*sent));
  }
  if (held_.empty() && ended_ && !std::exchange(told_end_, true)) platform::EndSending(socket);
  if (wants_to_read()) {
    const auto bytes = platform::ReadNow(socket, std::min<std::size_t>(window_, kLongestRelayed));
    if (!bytes) return Break(to_say);
    if (*bytes && (*bytes)->empty()) {
      reading_ = false;
      to_say += Encode(RelayFrame::Kind::kEnd, number_);
    } else if (*bytes) {
      window_ -= static_cast<std::uint32_t>((*bytes)->size());
      to_say += Encode(RelayFrame::Kind::kData, number_, **bytes);
    }
  }
  if (!reading_ && told_end_) over_ = true;
}

}  // namespace cordon::inside
