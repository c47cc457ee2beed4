#include "provision/docker_streams.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "platform/inside_sandbox.h"
#include "platform/socket_pair.h"
#include "platform/wait_events.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kHead = 8;
constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr int kStallMs = 30'000;

Error Unreadable(std::string_view why) {
  Error error;
  error.op = "engine stream";
  error.detail = why;
  return error;
}

}  // namespace

Result<std::optional<DockerPiece>> DockerFrames::Next() {
  while (left_ == 0) {
    if (held_.size() < kHead) return std::optional<DockerPiece>();
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(held_[at]); };
    if (byte(0) > 2 || byte(1) != 0 || byte(2) != 0 || byte(3) != 0) {
      return Unreadable("The engine sent what is no frame.");
    }
    stream_ = byte(0) == 2 ? DockerPiece::Stream::kErr : DockerPiece::Stream::kOut;
    for (std::size_t at = 4; at < kHead; ++at) left_ = left_ << 8 | byte(at);
    held_.erase(0, kHead);
  }
  if (held_.empty()) return std::optional<DockerPiece>();
  const std::size_t size = std::min(left_, held_.size());
  DockerPiece piece{stream_, held_.substr(0, size)};
  held_.erase(0, size);
  left_ -= size;
  return std::optional<DockerPiece>(std::move(piece));
}

DockerStream::DockerStream(net::HttpHijack hijack) : stream_(std::move(hijack.stream)) {
  frames_.Take(hijack.early);
}

Result<std::optional<DockerPiece>> DockerStream::Read(std::optional<milliseconds> patience) {
  const auto end = Clock::now() + patience.value_or(milliseconds(0));
  while (true) {
    TRY_ASSIGN(std::optional<DockerPiece> piece, frames_.Next());
    if (piece) return piece;
    std::optional<milliseconds> left;
    if (patience) left = std::chrono::ceil<milliseconds>(end - Clock::now());
    // What has come already is taken, however late it is.
    if (left) left = std::max(*left, milliseconds(0));
    std::array<platform::Awaited, 1> input = {platform::Awaited{stream_.get()}};
    platform::AwaitAny(input, left);
    TRY_ASSIGN(const std::optional<std::string> bytes, platform::ReadNow(stream_.get(), kPiece));
    if (!bytes && patience && Clock::now() >= end) {
      Error late = Unreadable("The engine took too long.");
      late.code = ErrorCode::kTimeout;
      return late;
    }
    if (!bytes) continue;
    if (!bytes->empty()) {
      frames_.Take(*bytes);
      continue;
    }
    if (!frames_.complete()) return Unreadable("The engine's stream broke off.");
    return std::optional<DockerPiece>();
  }
}

Status DockerStream::Send(std::string_view bytes) {
  return platform::SendAll(stream_.get(), bytes, kStallMs);
}

void DockerStream::EndInput() { platform::EndSending(stream_.get()); }
void DockerStream::HangUp() { platform::HangUp(stream_.get()); }

}  // namespace cordon::provision
