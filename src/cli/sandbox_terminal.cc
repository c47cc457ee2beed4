#include "cli/sandbox_terminal.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>
#include <utility>

#include "base/try.h"
#include "cli/sandbox_program.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;
using Kind = net::WebSocket::Kind;
using Event = platform::OwnTerminal::Event;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{2000};
constexpr std::chrono::seconds kTries{60};
constexpr char kInterrupt = '\x03';
constexpr std::size_t kMostTyped = std::size_t{64} << 10;
constexpr std::string_view kLost =
    "\r\ncordon: the connection is lost; trying again (Ctrl-C to leave)\r\n";
constexpr std::string_view kBack = "cordon: connected again\r\n";

}  // namespace

std::shared_ptr<net::WebSocket> SandboxTerminal::socket() {
  const std::lock_guard lock(mutex_);
  return socket_;
}

void SandboxTerminal::SetSocket(std::shared_ptr<net::WebSocket> socket) {
  const std::lock_guard lock(mutex_);
  socket_ = std::move(socket);
  if (socket_ && !typed_.empty()) socket_->Send({Kind::kBinary, std::exchange(typed_, {})});
}

bool SandboxTerminal::TakeKeys(std::string keys) {
  const std::lock_guard lock(mutex_);
  if (socket_) {
    socket_->Send({Kind::kBinary, std::move(keys)});
    return true;
  }
  if (keys.find(kInterrupt) != std::string::npos) return false;
  if (typed_.size() < kMostTyped) typed_ += keys;
  return true;
}

bool SandboxTerminal::left() {
  const std::lock_guard lock(mutex_);
  return left_;
}

void SandboxTerminal::Leave() {
  const std::lock_guard lock(mutex_);
  left_ = true;
  if (socket_) socket_->Close(1000, "");
}

void SandboxTerminal::SendSize() {
  const platform::WindowSize size = screen_.size();
  const json::object order{{"type", "resize"}, {"rows", size.rows}, {"columns", size.columns}};
  if (const auto open = socket()) open->Send({Kind::kText, json::serialize(order)});
}

// In a thread of its own, until it is woken.
void SandboxTerminal::PassKeys() {
  while (true) {
    Event event = screen_.Wait();
    switch (event.kind) {
      case Event::Kind::kWoken: return;
      case Event::Kind::kClosed: Leave(); return;
      case Event::Kind::kResized: SendSize(); break;
      case Event::Kind::kKeys:
        if (TakeKeys(std::move(event.keys))) break;
        Leave();
        return;
    }
  }
}

Result<bool> SandboxTerminal::Connect() {
  const auto give_up = std::chrono::steady_clock::now() + kTries;
  for (milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (left()) return false;
    auto opened = client_.OpenSocket(target_ + "/ws?since=" + std::to_string(offset_));
    if (opened) {
      SetSocket(std::move(*opened));
      return !left();
    }
    const bool refused =
        opened.error().op == "server" && opened.error().code != ErrorCode::kLimitExceeded;
    if (refused || std::chrono::steady_clock::now() > give_up) return std::move(opened.error());
    std::this_thread::sleep_for(pause);
  }
}

std::optional<ExitStatus> SandboxTerminal::Obey(const std::string& text) {
  json::error_code failed;
  const json::value value = json::parse(text, failed);
  if (failed || !value.is_object()) return std::nullopt;
  const json::object& said = value.get_object();
  const std::string type = MemberText(said, "type");
  if (type == "exit") return ProgramStatus(said);
  if (type == "hello" || type == "gap") {
    json::error_code none;
    if (const json::value* const offset = said.if_contains("offset")) {
      offset_ = offset->to_number<std::uint64_t>(none);
    }
  }
  return std::nullopt;
}

Result<std::optional<ExitStatus>> SandboxTerminal::Show() {
  const auto open = socket();
  while (auto message = open->Receive()) {
    if (message->kind == Kind::kText) {
      const auto ended = Obey(message->bytes);
      if (ended) return ended;
      continue;
    }
    TRY(screen_.Show(message->bytes));
    offset_ += message->bytes.size();
  }
  return std::optional<ExitStatus>();
}

Result<std::optional<ExitStatus>> SandboxTerminal::Run() {
  std::jthread keys([this] { PassKeys(); });
  struct Wake {
    const platform::OwnTerminal& screen;
    ~Wake() { screen.Wake(); }
  } const wake{screen_};
  for (bool again = false;; again = true) {
    TRY_ASSIGN(const bool connected, Connect());
    if (!connected) return std::optional<ExitStatus>();
    if (again) TRY(screen_.Show(kBack));
    SendSize();
    TRY_ASSIGN(const auto ended, Show());
    SetSocket(nullptr);
    if (ended || left()) return ended;
    TRY(screen_.Show(kLost));
  }
}

}  // namespace cordon::cli
