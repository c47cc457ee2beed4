#include "net/web_socket_channel.h"

#include <algorithm>
#include <utility>

#include "net/ascii.h"

namespace cordon::net {
namespace {

constexpr std::uint16_t kGoingAway = 1001;
constexpr std::size_t kLongestReason = 123;
constexpr std::size_t kOverhead = 64;  // what an empty message costs all the same

std::size_t Cost(const WebSocket::Message& message) { return message.bytes.size() + kOverhead; }

// The parts of a field that holds a list.
std::vector<std::string> ListIn(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = TrimBlanks(text.substr(0, comma));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

class Held final : public WebSocket {
 public:
  explicit Held(std::shared_ptr<WebSocketChannel> channel) : channel_(std::move(channel)) {}
  ~Held() override { channel_->Close(kGoingAway, ""); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  std::optional<Message> Receive() override { return channel_->Receive(); }
  bool Send(Message message) override { return channel_->Send(std::move(message)); }
  void Close(std::uint16_t code, std::string_view reason) override {
    channel_->Close(code, reason);
  }
  bool open() const override { return channel_->open(); }

 private:
  const std::shared_ptr<WebSocketChannel> channel_;
};

}  // namespace

bool AsksForWebSocket(const HttpRequest& request) {
  const auto upgrade = request.fields.Find("Upgrade");
  const auto connection = request.fields.Find("Connection");
  if (request.method != "GET" || !upgrade || !connection) return false;
  const auto words = ListIn(*connection);
  return SameIgnoringCase(*upgrade, "websocket") && request.fields.Find("Sec-WebSocket-Key") &&
         std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return SameIgnoringCase(word, "upgrade"); });
}

std::vector<std::string> OfferedSubprotocols(const HttpFields& fields) {
  std::vector<std::string> offered;
  for (const auto& [name, value] : fields.all()) {
    if (!SameIgnoringCase(name, "Sec-WebSocket-Protocol")) continue;
    for (std::string& one : ListIn(value)) offered.push_back(std::move(one));
  }
  return offered;
}

std::optional<WebSocket::Message> WebSocketChannel::Receive() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !in_.empty() || gone_ || farewell_; });
  if (in_.empty() || farewell_) return std::nullopt;
  Message message = std::move(in_.front());
  in_.pop_front();
  const bool was_full = in_bytes_ > terms_.unread;
  in_bytes_ -= Cost(message);
  if (was_full && in_bytes_ <= terms_.unread && wake_) wake_();
  return message;
}

bool WebSocketChannel::Send(Message message) {
  std::unique_lock lock(mutex_);
  const bool in_time = changed_.wait_for(lock, terms_.stall_time, [this] {
    return gone_ || farewell_ || out_bytes_ + taken_ <= terms_.unsent;
  });
  if (gone_ || farewell_) return false;
  if (!in_time) {
    farewell_ = Farewell{kGoingAway, "too slow"};
    out_.clear();
    if (wake_) wake_();
    return false;
  }
  out_bytes_ += Cost(message);
  out_.push_back(std::move(message));
  if (wake_) wake_();
  return true;
}

void WebSocketChannel::Close(std::uint16_t code, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  if (gone_ || farewell_) return;
  farewell_ = Farewell{code, std::string(reason.substr(0, kLongestReason))};
  changed_.notify_all();
  if (wake_) wake_();
}

bool WebSocketChannel::open() const {
  const std::lock_guard lock(mutex_);
  return !gone_ && !farewell_;
}

void WebSocketChannel::OnChange(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  if (!gone_) wake_ = std::move(wake);
}

void WebSocketChannel::Push(Message message) {
  const std::lock_guard lock(mutex_);
  if (farewell_) return;
  in_bytes_ += Cost(message);
  in_.push_back(std::move(message));
  changed_.notify_all();
}

bool WebSocketChannel::wants_more() const {
  const std::lock_guard lock(mutex_);
  return in_bytes_ <= terms_.unread;
}

std::optional<WebSocket::Message> WebSocketChannel::Take() {
  const std::lock_guard lock(mutex_);
  if (out_.empty()) return std::nullopt;
  Message message = std::move(out_.front());
  out_.pop_front();
  taken_ = Cost(message);
  out_bytes_ -= taken_;
  return message;
}

void WebSocketChannel::Sent() {
  const std::lock_guard lock(mutex_);
  taken_ = 0;
  changed_.notify_all();
}

std::optional<WebSocketChannel::Farewell> WebSocketChannel::farewell() const {
  const std::lock_guard lock(mutex_);
  return out_.empty() ? farewell_ : std::nullopt;
}

void WebSocketChannel::Gone() {
  std::function<void()> unused;  // goes without the lock
  const std::lock_guard lock(mutex_);
  gone_ = true;
  unused.swap(wake_);
  out_.clear();
  changed_.notify_all();
}

std::shared_ptr<WebSocket> MakeWebSocket(std::shared_ptr<WebSocketChannel> channel) {
  return std::make_shared<Held>(std::move(channel));
}

}  // namespace cordon::net
