#include "net/reply_channel.h"

#include <algorithm>
#include <utility>

namespace cordon::net {
namespace {

constexpr std::size_t kFreeReply = std::size_t{64} << 10;  // not counted

std::size_t Counted(std::size_t bytes) { return bytes > kFreeReply ? bytes - kFreeReply : 0; }

}  // namespace

ReplyChannel::ReplyChannel(ReplyTerms terms, std::function<void()> wake)
    : terms_(std::move(terms)), wake_(std::move(wake)) {}

ReplyChannel::~ReplyChannel() {
  if (terms_.all) *terms_.all -= charged_;
}

bool ReplyChannel::Charge(std::size_t bytes) {
  if (!terms_.all) return true;
  const std::size_t more = Counted(queue_.size() + taken_ + bytes) - charged_;
  if (more == 0) return true;
  if (terms_.all->fetch_add(more) + more > terms_.all_unsent) {
    *terms_.all -= more;
    return false;
  }
  charged_ += more;
  return true;
}

void ReplyChannel::Recount() {
  const std::size_t now = Counted(queue_.size() + taken_);
  if (!terms_.all || now >= charged_) return;
  *terms_.all -= charged_ - now;
  charged_ = now;
}

void ReplyChannel::Wake() {
  if (!gone_) wake_();
}

void ReplyChannel::Send(const HttpResponse& response) {
  std::function<void()> unused;  // goes without the lock
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kUnanswered) return;
  stage_ = Stage::kEnded;
  unused.swap(on_gone_);
  if (gone_) return;
  if (Charge(response.body.size())) {
    Put(response);
  } else {
    Put(PlainAnswer(503, "too much is waiting to be sent; try again later"));
  }
  Wake();
}

void ReplyChannel::Put(const HttpResponse& response) {
  queue_ =
      HeadText(response, {Framing::kLength, terms_.afterwards, std::chrono::system_clock::now()});
  if (terms_.body == ReplyTerms::Body::kWanted && response.status != 204) queue_ += response.body;
}

void ReplyChannel::Begin(const HttpResponse& head) {
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kUnanswered) return;
  stage_ = Stage::kStreaming;
  if (gone_) return;
  const Afterwards afterwards =
      terms_.stream == Framing::kChunks ? terms_.afterwards : Afterwards::kClose;
  queue_ = HeadText(head, {terms_.stream, afterwards, std::chrono::system_clock::now()});
  Append(head.body);
  Wake();
}

void ReplyChannel::Append(std::string_view piece) {
  if (piece.empty() || terms_.body == ReplyTerms::Body::kHeadOnly) return;
  if (terms_.stream == Framing::kChunks) {
    queue_ += ChunkText(piece);
  } else {
    queue_ += piece;
  }
}

bool ReplyChannel::Write(std::string_view piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return gone_ || stage_ != Stage::kStreaming || queue_.size() + taken_ <= terms_.unsent;
  });
  if (gone_ || stage_ != Stage::kStreaming) return false;
  if (!Charge(piece.size())) {
    CutOff();
    return false;
  }
  Append(piece);
  Wake();
  return true;
}

bool ReplyChannel::TryWrite(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  if (gone_ || stage_ != Stage::kStreaming || queue_.size() + taken_ > terms_.unsent) return false;
  if (!Charge(piece.size())) return false;
  Append(piece);
  Wake();
  return true;
}

void ReplyChannel::End() {
  std::function<void()> unused;
  {
    const std::lock_guard lock(mutex_);
    if (stage_ != Stage::kStreaming) return;
    stage_ = Stage::kEnded;
    unused.swap(on_gone_);
    changed_.notify_all();
    if (gone_) return;
    if (terms_.stream == Framing::kChunks && terms_.body == ReplyTerms::Body::kWanted) {
      queue_ += kLastChunk;
    }
    Wake();
  }
}

void ReplyChannel::CutOff() {
  stage_ = Stage::kEnded;
  complete_ = false;
  changed_.notify_all();
  Wake();
}

void ReplyChannel::Drop() {
  {
    const std::lock_guard lock(mutex_);
    if (stage_ == Stage::kEnded) return;
    if (stage_ == Stage::kStreaming) return CutOff();
  }
  Send(PlainAnswer(500, "nobody has answered"));
}

bool ReplyChannel::open() const {
  const std::lock_guard lock(mutex_);
  return !gone_ && stage_ != Stage::kEnded;
}

void ReplyChannel::OnGone(std::function<void()> gone) {
  {
    const std::lock_guard lock(mutex_);
    if (!gone_) {
      if (stage_ != Stage::kEnded) on_gone_ = std::move(gone);
      return;
    }
    if (stage_ == Stage::kEnded) return;
  }
  gone();
}

std::string ReplyChannel::Take() {
  const std::lock_guard lock(mutex_);
  taken_ += queue_.size();
  return std::exchange(queue_, {});
}

void ReplyChannel::Sent(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  taken_ -= std::min(taken_, bytes);  // it may be gone
  Recount();
  changed_.notify_all();
}

bool ReplyChannel::finished() const {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::kEnded && queue_.empty();
}

bool ReplyChannel::keeps_alive() const {
  const std::lock_guard lock(mutex_);
  return complete_ && terms_.afterwards == Afterwards::kKeepAlive;
}

void ReplyChannel::Gone() {
  std::function<void()> tell;
  bool untold = false;
  {
    const std::lock_guard lock(mutex_);
    if (gone_) return;
    gone_ = true;
    tell.swap(on_gone_);  // in any case: what it holds may end up here
    untold = stage_ != Stage::kEnded;
    queue_ = {};
    taken_ = 0;
    Recount();
    changed_.notify_all();
  }
  if (tell && untold) tell();
}

namespace {

class Reply final : public HttpReply {
 public:
  explicit Reply(std::shared_ptr<ReplyChannel> channel) : channel_(std::move(channel)) {}
  ~Reply() override { channel_->Drop(); }
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;

  void Send(const HttpResponse& response) override { channel_->Send(response); }
  void Begin(const HttpResponse& head) override { channel_->Begin(head); }
  bool Write(std::string piece) override { return channel_->Write(piece); }
  bool TryWrite(std::string piece) override { return channel_->TryWrite(piece); }
  void End() override { channel_->End(); }
  bool open() const override { return channel_->open(); }
  void OnGone(std::function<void()> gone) override { channel_->OnGone(std::move(gone)); }

 private:
  const std::shared_ptr<ReplyChannel> channel_;
};

}  // namespace

std::shared_ptr<HttpReply> MakeReply(std::shared_ptr<ReplyChannel> channel) {
  return std::make_shared<Reply>(std::move(channel));
}

}  // namespace cordon::net
