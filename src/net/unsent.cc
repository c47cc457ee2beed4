#include "net/unsent.h"

#include <utility>
#include <vector>

#include "net/reply_channel.h"

namespace cordon::net {
namespace {

constexpr std::size_t kMostWaiting = 16;
// Who takes so much a second is no nuisance.
constexpr std::size_t kGoodPace = std::size_t{256} << 10;

}  // namespace

bool Unsent::Add(std::size_t bytes) {
  if (bytes_.fetch_add(bytes) + bytes <= limit_) return true;
  bytes_ -= bytes;
  return false;
}

bool Unsent::BeginWaiting() {
  if (waiting_.fetch_add(1) < kMostWaiting) return true;
  --waiting_;
  return false;
}

void Unsent::Enter(const std::shared_ptr<ReplyChannel>& reply) {
  const std::lock_guard lock(mutex_);
  replies_.insert_or_assign(reply.get(), reply);
}

void Unsent::Leave(const ReplyChannel* reply) {
  const std::lock_guard lock(mutex_);
  replies_.erase(reply);
}

std::shared_ptr<ReplyChannel> Unsent::Slowest() {
  std::vector<std::shared_ptr<ReplyChannel>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, weak] : replies_) {
      if (auto reply = weak.lock()) all.push_back(std::move(reply));
    }
  }
  std::shared_ptr<ReplyChannel> slowest;
  std::size_t pace = kGoodPace;
  for (auto& reply : all) {
    const auto its = reply->Pace();
    if (!its || *its >= pace) continue;
    pace = *its;
    slowest = std::move(reply);
  }
  return slowest;
}

void Unsent::MakeRoom(std::size_t bytes) {
  while (bytes <= limit_ && bytes_ + bytes > limit_) {
    const auto slowest = Slowest();
    if (!slowest) return;
    slowest->Evict();
  }
}

}  // namespace cordon::net
