#include "mcp/http_outbox.h"

#include <algorithm>
#include <utility>

namespace cordon::mcp {

std::uint64_t HttpOutbox::NewStream() {
  const std::lock_guard lock(mutex_);
  streams_[++last_stream_].sent = last_event_;
  return last_stream_;
}

std::string HttpOutbox::Missed(std::uint64_t stream, std::uint64_t after) {
  std::string text;
  for (const Event& event : kept_) {
    if (event.id.stream == stream && event.id.number > after) text += event.text;
  }
  return text;
}

void HttpOutbox::Attach(std::uint64_t stream, std::shared_ptr<net::HttpReply> reply,
                        Priming priming) {
  std::shared_ptr<net::HttpReply> before;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return;
    net::HttpResponse head = StreamHead();
    if (priming == Priming::kYes) head.body = PrimingText({stream, found->second.sent});
    head.body += Missed(stream, found->second.sent);
    reply->Begin(head);
    found->second.sent = last_event_;
    before = std::exchange(found->second.reply, std::move(reply));
  }
  if (before) before->End();
}

bool HttpOutbox::Resume(const EventId& last, const std::shared_ptr<net::HttpReply>& reply) {
  std::shared_ptr<net::HttpReply> before;
  {
    const std::lock_guard lock(mutex_);
    std::string missed = Missed(last.stream, last.number);
    const auto found = streams_.find(last.stream);
    if (last.number > last_event_ || (found == streams_.end() && missed.empty())) return false;
    net::HttpResponse head = StreamHead();
    head.body = std::move(missed);
    reply->Begin(head);
    if (found == streams_.end()) {
      before = reply;  // that was all
    } else {
      found->second.sent = last_event_;
      before = std::exchange(found->second.reply, reply);
    }
  }
  if (before) before->End();
  return true;
}

void HttpOutbox::Keep(Event event) {
  kept_bytes_ += event.text.size();
  kept_.push_back(std::move(event));
  while (!kept_.empty() && (kept_.size() > limits_.events || kept_bytes_ > limits_.bytes)) {
    kept_bytes_ -= kept_.front().text.size();
    kept_.pop_front();
  }
}

// A reply that is full or gone is let go: who comes back finds the rest here.
void HttpOutbox::HandOver(Stream& stream, const Event& event) {
  if (!stream.reply) return;
  if (stream.reply->TryWrite(event.text)) {
    stream.sent = event.id.number;
  } else {
    stream.reply.reset();
  }
}

void HttpOutbox::Send(std::uint64_t stream, std::string_view message, Waiting waiting) {
  if (waiting == Waiting::kMay) {
    std::shared_ptr<net::HttpReply> reply;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = streams_.find(stream); found != streams_.end()) {
        reply = found->second.reply;
      }
    }
    if (reply) static_cast<void>(reply->Write(""));  // until there is room
  }
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  const EventId id{stream, ++last_event_};
  Event event{id, EventText(id, message)};
  HandOver(found->second, event);
  Keep(std::move(event));
}

void HttpOutbox::End(std::uint64_t stream) {
  std::shared_ptr<net::HttpReply> reply;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(stream);
    if (found == streams_.end() || stream == kUnasked) return;
    reply = std::move(found->second.reply);
    streams_.erase(found);
  }
  if (reply) reply->End();
}

void HttpOutbox::Pulse() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_) {
    if (!stream.reply) continue;
    static_cast<void>(stream.reply->TryWrite(std::string(kStillHere)));
    if (!stream.reply->open()) stream.reply.reset();
  }
}

bool HttpOutbox::has_reader() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(streams_.begin(), streams_.end(), [](const auto& entry) {
    return entry.second.reply && entry.second.reply->open();
  });
}

void HttpOutbox::Close() {
  std::map<std::uint64_t, Stream> ended;
  {
    const std::lock_guard lock(mutex_);
    ended.swap(streams_);
  }
  for (auto& [number, stream] : ended) {
    if (stream.reply) stream.reply->End();
  }
}

}  // namespace cordon::mcp
