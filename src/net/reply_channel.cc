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
  terms_.all->Remove(charged_);
  terms_.all->Leave(this);
}

bool ReplyChannel::TryCharge(std::size_t bytes) {
  const std::size_t wanted = Counted(waiting() + bytes);
  if (wanted <= charged_) return true;
  if (!terms_.all->Add(wanted - charged_)) return false;
  if (charged_ == 0) {
    since_ = std::chrono::steady_clock::now();
    second_ = 0;
    this_second_ = last_second_ = 0;
    terms_.all->Enter(shared_from_this());
  }
  charged_ = wanted;
  return true;
}

bool ReplyChannel::Charge(std::size_t bytes, std::unique_lock<std::mutex>& lock) {
  if (TryCharge(bytes)) return true;
  lock.unlock();
  terms_.all->MakeRoom(bytes);
  lock.lock();
  return TryCharge(bytes);
}

void ReplyChannel::Recount() {
  const std::size_t now = Counted(waiting());
  if (now >= charged_) return;
  terms_.all->Remove(charged_ - now);
  charged_ = now;
  if (charged_ == 0) terms_.all->Leave(this);
}

void ReplyChannel::NoteTime() {
  const auto age = std::chrono::steady_clock::now() - since_;
  const std::int64_t second = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  if (second == second_) return;
  last_second_ = second == second_ + 1 ? this_second_ : 0;
  this_second_ = 0;
  second_ = second;
}

// The system takes much of the first second's for the client.
std::optional<std::size_t> ReplyChannel::Pace() {
  const std::lock_guard lock(mutex_);
  NoteTime();
  if (charged_ == 0 || second_ == 0) return std::nullopt;
  return std::max(last_second_, this_second_);
}

void ReplyChannel::Evict() {
  const std::lock_guard lock(mutex_);
  evicted_ = true;
  queue_ = {};
  body_ = {};
  taken_ = 0;  // goes with the connection
  Recount();
  CutOff();
}

bool ReplyChannel::evicted() const {
  const std::lock_guard lock(mutex_);
  return evicted_;
}

void ReplyChannel::Wake() {
  if (!gone_) wake_();
}

void ReplyChannel::Send(HttpResponse response) {
  std::function<void()> unused;  // goes without the lock
  std::unique_lock lock(mutex_);
  if (stage_ != Stage::kUnanswered) return;
  stage_ = Stage::kEnded;
  unused.swap(on_gone_);
  if (gone_) return;
  const bool fits = Charge(response.body.size(), lock);
  if (gone_) return Recount();
  Put(fits ? std::move(response)
           : PlainAnswer(503, "too much is waiting to be sent; try again later"));
  Wake();
}

void ReplyChannel::Put(HttpResponse response) {
  queue_ =
      HeadText(response, {Framing::kLength, terms_.afterwards, std::chrono::system_clock::now()});
  if (terms_.body == ReplyTerms::Body::kHeadOnly || response.status == 204) return;
  if (response.body.size() <= kFreeReply) {
    queue_ += response.body;
  } else {
    body_ = std::move(response.body);  // a copy of what is long would count twice
  }
}

void ReplyChannel::Begin(const HttpResponse& head) {
  std::unique_lock lock(mutex_);
  if (stage_ != Stage::kUnanswered) return;
  stage_ = Stage::kStreaming;
  if (gone_) return;
  const bool fits = Charge(head.body.size(), lock);
  if (gone_) return Recount();
  if (!fits) return CutOff();
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

bool ReplyChannel::WaitForRoom(std::unique_lock<std::mutex>& lock) {
  const auto ready = [this] {
    return gone_ || stage_ != Stage::kStreaming || waiting() <= terms_.unsent;
  };
  if (ready()) return true;
  if (!terms_.all->BeginWaiting()) return false;
  const bool in_time = changed_.wait_for(lock, terms_.patience, ready);
  terms_.all->EndWaiting();
  return in_time;
}

bool ReplyChannel::Write(std::string_view piece) {
  std::unique_lock lock(mutex_);
  const bool fits = WaitForRoom(lock) && Charge(piece.size(), lock);
  if (gone_ || stage_ != Stage::kStreaming) {
    Recount();
    return false;
  }
  if (!fits) {
    CutOff();
    return false;
  }
  Append(piece);
  Wake();
  return true;
}

bool ReplyChannel::TryWrite(std::string_view piece) {
  std::unique_lock lock(mutex_);
  if (gone_ || stage_ != Stage::kStreaming || waiting() > terms_.unsent) return false;
  const bool fits = Charge(piece.size(), lock);
  if (!fits) return false;
  if (gone_ || stage_ != Stage::kStreaming) {
    Recount();
    return false;
  }
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

std::shared_ptr<WebSocket> ReplyChannel::Upgrade(const WebSocketTerms& terms) {
  std::function<void()> unused;
  const std::lock_guard lock(mutex_);
  if (stage_ != Stage::kUnanswered || gone_) return nullptr;
  stage_ = Stage::kEnded;
  unused.swap(on_gone_);
  upgrade_ = std::make_shared<WebSocketChannel>(terms);
  Wake();
  return MakeWebSocket(upgrade_);
}

std::shared_ptr<WebSocketChannel> ReplyChannel::TakeUpgrade() {
  const std::lock_guard lock(mutex_);
  return std::exchange(upgrade_, nullptr);
}

std::string ReplyChannel::Take() {
  const std::lock_guard lock(mutex_);
  std::string& next = queue_.empty() ? body_ : queue_;
  taken_ += next.size();
  return std::exchange(next, {});
}

void ReplyChannel::Sent(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  taken_ -= std::min(taken_, bytes);  // it may be gone
  NoteTime();
  this_second_ += bytes;
  Recount();
  changed_.notify_all();
}

bool ReplyChannel::finished() const {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::kEnded && queue_.empty() && body_.empty();
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
    if (upgrade_) upgrade_->Gone();
    untold = stage_ != Stage::kEnded || !complete_;
    queue_ = {};
    body_ = {};
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

  void Send(HttpResponse response) override { channel_->Send(std::move(response)); }
  void Begin(const HttpResponse& head) override { channel_->Begin(head); }
  bool Write(std::string piece) override { return channel_->Write(piece); }
  bool TryWrite(std::string piece) override { return channel_->TryWrite(piece); }
  void End() override { channel_->End(); }
  bool open() const override { return channel_->open(); }
  void OnGone(std::function<void()> gone) override { channel_->OnGone(std::move(gone)); }
  std::shared_ptr<WebSocket> Upgrade(const WebSocketTerms& terms) override {
    return channel_->Upgrade(terms);
  }

 private:
  const std::shared_ptr<ReplyChannel> channel_;
};

}  // namespace

std::shared_ptr<HttpReply> MakeReply(std::shared_ptr<ReplyChannel> channel) {
  return std::make_shared<Reply>(std::move(channel));
}

}  // namespace cordon::net
