#include "provision/docker_relay.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/try.h"
#include "inside/relay_wire.h"
#include "platform/inside_sandbox.h"

namespace cordon::provision {
namespace {

using inside::RelayFrame;
using platform::Readiness;
using Kind = RelayFrame::Kind;

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kMostUnsaid = std::size_t{1} << 20;
constexpr std::chrono::seconds kPatience{15};

Error Refusal(ErrorCode code, std::string_view detail) {
  Error error;
  error.code = code;
  error.op = "docker";
  error.detail = detail;
  return error;
}

}  // namespace

// To one sandbox. All but `arriving` and `broken` belongs to the thread.
struct DockerRelay::Line {
  explicit Line(std::shared_ptr<DockerStream> given) : stream(std::move(given)) {}

  struct Joined {
    platform::UniqueFd local;
    inside::RelayedSocket state;
    std::optional<std::promise<bool>> opened;  // set: not yet
  };

  const std::shared_ptr<DockerStream> stream;
  std::vector<Arriving> arriving;  // guarded by the relay's mutex, as is the next
  bool broken = false;
  inside::RelayReader heard;
  std::string unsaid;
  std::map<std::uint32_t, Joined> joined;
  std::uint32_t last = 0;

  void Open(Arriving one) {
    const std::string port = {static_cast<char>(one.port >> 8), static_cast<char>(one.port & 255)};
    unsaid += inside::Encode(Kind::kOpen, ++last, port);
    joined.emplace(
        last, Joined{std::move(one.local), inside::RelayedSocket(last), std::move(one.opened)});
  }

  void AddWishes(std::vector<Readiness>& these) const {
    these.push_back({stream->descriptor(), Readiness::For::kRead});
    these.push_back({unsaid.empty() ? -1 : stream->descriptor(), Readiness::For::kWrite});
    const bool room = unsaid.size() < kMostUnsaid;
    for (const auto& [number, one] : joined) {
      const int local = one.local.get();
      const bool reads = room && !one.opened && one.state.wants_to_read();
      these.push_back({reads ? local : -1, Readiness::For::kRead});
      these.push_back({one.state.wants_to_write() ? local : -1, Readiness::For::kWrite});
      these.push_back({one.state.heard_all() ? local : -1, Readiness::For::kHangUp});
    }
  }
  // `at`: the first of its wishes, then the one behind them. False: it broke.
  bool Move(const std::vector<Readiness>& these, std::size_t& at) {
    const bool hears = these[at].ready;
    at += 2;
    for (auto& [number, one] : joined) {
      if (these[at].ready || these[at + 1].ready) one.state.Move(one.local.get(), unsaid);
      if (these[at + 2].ready) one.state.Break(unsaid);
      at += 3;
    }
    if (hears && !Hear()) return false;
    std::erase_if(joined, [](const auto& one) { return one.second.state.over(); });
    return Say();
  }
  bool Say() {
    if (unsaid.empty()) return true;
    const Result<std::size_t> count = platform::SendNow(stream->descriptor(), unsaid);
    if (count) unsaid.erase(0, *count);
    return count.has_value();
  }
  bool Hear() {
    const auto bytes = platform::ReadNow(stream->descriptor(), kPiece);
    if (bytes && !*bytes) return true;
    if (!bytes || (*bytes)->empty()) return false;
    stream->frames().Take(**bytes);
    while (true) {
      auto piece = stream->frames().Next();
      if (!piece) return false;
      if (!*piece) break;
      if ((*piece)->stream == DockerPiece::Stream::kOut) heard.Take((*piece)->bytes);
    }
    while (true) {
      const auto frame = heard.Next();
      if (!frame) return false;
      if (!*frame) return true;
      if (!Obey(**frame)) return false;
    }
  }
  bool Obey(const RelayFrame& frame) {
    const auto found = joined.find(frame.connection);
    if (found == joined.end()) return true;  // it was over before that was known there
    Joined& one = found->second;
    if (!one.opened) {
      if (!one.state.Take(frame)) return false;
      one.state.Move(one.local.get(), unsaid);
      return true;
    }
    if (frame.kind != Kind::kOpened && frame.kind != Kind::kRefused) return false;
    one.opened->set_value(frame.kind == Kind::kOpened);
    one.opened.reset();
    if (frame.kind == Kind::kRefused) joined.erase(found);
    return true;
  }
  void End() {
    for (auto& [number, one] : joined) {
      if (one.opened) one.opened->set_value(false);
    }
    joined.clear();
    stream->HangUp();
  }
};

Result<std::unique_ptr<DockerRelay>> DockerRelay::Start() {
  std::unique_ptr<DockerRelay> relay(new DockerRelay);
  TRY_ASSIGN(relay->wake_, platform::MakeSocketPair());
  relay->thread_ = std::thread([raw = relay.get()] { raw->Work(); });
  return relay;
}

DockerRelay::~DockerRelay() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  WakeUp();
  if (thread_.joinable()) thread_.join();
}

void DockerRelay::WakeUp() { static_cast<void>(platform::SendNow(wake_.other.get(), ".")); }

Result<std::shared_ptr<DockerRelay::Line>> DockerRelay::LineTo(const SandboxId& sandbox,
                                                               const LineStarter& start) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = lines_.find(sandbox);
    if (found != lines_.end()) return found->second;
  }
  TRY_ASSIGN(std::shared_ptr<DockerStream> stream, start());
  const std::lock_guard lock(mutex_);
  // Somebody else may have been faster, and then this one ends at once.
  return lines_.emplace(sandbox, std::make_shared<Line>(std::move(stream))).first->second;
}

Result<platform::UniqueFd> DockerRelay::Connect(const SandboxId& sandbox, std::uint16_t port,
                                                const LineStarter& start) {
  TRY_ASSIGN(platform::SocketPair pair, platform::MakeSocketPair());
  Arriving arriving;
  arriving.port = port;
  arriving.local = std::move(pair.one);
  std::future<bool> opened = arriving.opened.get_future();
  TRY_ASSIGN(const std::shared_ptr<Line> line, LineTo(sandbox, start));
  {
    const std::lock_guard lock(mutex_);
    if (line->broken || ending_) return Refusal(ErrorCode::kIoError, "The way inside has ended.");
    line->arriving.push_back(std::move(arriving));
  }
  WakeUp();
  if (opened.wait_for(kPatience) != std::future_status::ready) {
    return Refusal(ErrorCode::kTimeout, "The sandbox does not answer.");
  }
  if (!opened.get()) {
    return Refusal(ErrorCode::kNotFound, "Nothing listens at this port in the sandbox.");
  }
  return std::move(pair.other);
}

std::vector<std::shared_ptr<DockerRelay::Line>> DockerRelay::TakeLines() {
  std::vector<std::shared_ptr<Line>> lines;
  const std::lock_guard lock(mutex_);
  for (const auto& [sandbox, line] : lines_) {
    for (Arriving& one : line->arriving) line->Open(std::move(one));
    line->arriving.clear();
    lines.push_back(line);
  }
  return lines;
}

void DockerRelay::Work() {
  while (true) {
    const std::vector<std::shared_ptr<Line>> lines = TakeLines();
    std::vector<Readiness> these = {{wake_.one.get(), Readiness::For::kRead}};
    for (const auto& line : lines) line->AddWishes(these);
    platform::AwaitReady(these, std::nullopt);
    if (these[0].ready) static_cast<void>(platform::ReadNow(wake_.one.get(), kPiece));
    std::size_t at = 1;
    std::vector<std::shared_ptr<Line>> broken;
    for (const auto& line : lines) {
      if (!line->Move(these, at)) broken.push_back(line);
    }
    const std::lock_guard lock(mutex_);
    for (const auto& line : broken) {
      line->broken = true;
      for (Arriving& one : line->arriving) one.opened.set_value(false);
      line->arriving.clear();
      line->End();
      std::erase_if(lines_, [&](const auto& one) { return one.second == line; });
    }
    if (!ending_) continue;
    for (const auto& [sandbox, line] : lines_) {
      for (Arriving& one : line->arriving) one.opened.set_value(false);
      line->End();
    }
    return;
  }
}

}  // namespace cordon::provision
