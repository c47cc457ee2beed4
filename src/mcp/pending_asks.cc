#include "mcp/pending_asks.h"

#include <string>
#include <utility>

namespace cordon::mcp {

namespace json = boost::json;

PendingAsks::Answer PendingAsks::Ask(MessageSink& sink, std::string_view method,
                                     const json::object& params, std::chrono::milliseconds patience,
                                     const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto mine = std::make_shared<Waiting>();
  std::unique_lock lock(mutex_);
  if (closed_) return tl::make_unexpected(AskFailure::kCancelled);
  if (waiting_.size() >= kMax) return tl::make_unexpected(AskFailure::kRefused);
  const Id id(++last_);
  waiting_.emplace(id, mine);
  lock.unlock();
  sink.Send(RequestText(id, method, params));
  lock.lock();
  changed_.wait_until(lock, stop, deadline, [&] { return mine->answer || closed_; });
  waiting_.erase(id);
  if (mine->answer) return std::move(*mine->answer);
  if (closed_) return tl::make_unexpected(AskFailure::kCancelled);
  lock.unlock();
  const bool stopped = stop.stop_requested();
  sink.Send(NotificationText("notifications/cancelled",
                             {{"requestId", id.AsJson()},
                              {"reason", stopped ? "no longer needed" : "no answer in time"}}));
  return tl::make_unexpected(stopped ? AskFailure::kCancelled : AskFailure::kTimeout);
}

void PendingAsks::Answered(Response response) {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(response.id);
  if (found == waiting_.end()) return;
  found->second->answer = response.result ? Answer(std::move(*response.result))
                                          : Answer(tl::make_unexpected(AskFailure::kRefused));
  changed_.notify_all();
}

void PendingAsks::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace cordon::mcp
