#include "mcp/http_stream.h"

#include <utility>

namespace cordon::mcp {
namespace {

constexpr std::size_t kSweep = 1024;  // when so many are listed, most have ended

}  // namespace

void HttpStreams::Add(const std::shared_ptr<HttpStream>& stream) {
  const std::lock_guard lock(mutex_);
  if (streams_.size() >= kSweep && streams_.size() == streams_.capacity()) {
    std::erase_if(streams_, [](const auto& weak) { return weak.expired(); });
  }
  streams_.push_back(stream);
}

void HttpStreams::Pulse() {
  std::vector<std::weak_ptr<HttpStream>> all;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto& weak) { return weak.expired(); });
    all = streams_;
  }
  for (const auto& weak : all) {
    if (const std::shared_ptr<HttpStream> stream = weak.lock()) stream->Pulse();
  }
}

}  // namespace cordon::mcp
