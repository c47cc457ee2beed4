// What the server inside answers, and the way back.
#include <array>
#include <boost/asio/post.hpp>
#include <charconv>
#include <utility>

#include "preview/forward.h"
#include "preview/session.h"

namespace cordon::preview {
namespace {

using boost::beast::http::field;

constexpr int kRounds = 32;
constexpr std::size_t kMostHead = std::size_t{64} << 10;
constexpr std::size_t kMostFraming = std::size_t{16} << 10;

}  // namespace

void Session::OnUpstreamReadable() {
  try {
    for (int round = 0; round < kRounds && !closed_ && upstream_ && outbox_.empty(); ++round) {
      const Wire::Moved moved = upstream_->wire().Read(core_.scratch);
      if (moved.state == Wire::State::kWantRead) break;
      if (moved.state != Wire::State::kMoved) return UpstreamEnded(moved.state);
      Alive();
      if (!TakeFromUpstream({core_.scratch.data(), moved.count})) return;
      if (moved.count < core_.scratch.size()) break;
    }
    if (!closed_ && upstream_ && outbox_.empty() && !upstream_ended_) upstream_->WatchRead();
  } catch (...) {
    Close();
  }
}

// True: more can be taken.
bool Session::TakeFromUpstream(std::string_view bytes) {
  if (phase_ == Phase::kTunnel) return ToClient({&bytes, 1});
  then_.any = true;
  std::string held;
  std::string_view raw = bytes;
  if (!reply_inbox_.empty()) {
    held = std::exchange(reply_inbox_, {});
    held.append(bytes);
    raw = held;
  }
  core_.text.clear();
  while (!then_.headed) {
    const auto length = HeadLength(raw);
    if (!length && raw.size() <= kMostHead) {
      reply_inbox_.assign(raw);
      const std::string_view interim = core_.text;
      return interim.empty() || ToClient({&interim, 1});
    }
    if (!length || !TakeReplyHead(raw.substr(0, *length))) {
      Say(PlainPage(502, "the server inside does not answer in HTTP"));
      return false;
    }
    raw.remove_prefix(*length);
    if (phase_ == Phase::kTunnel) return BeginTunnel(raw);
  }
  return TakeReplyBody(raw);
}

// False: it is not as a reply should be.
bool Session::TakeReplyHead(std::string_view text) {
  Head& head = core_.head;
  const auto body = now_.is_head ? Reply::Body::kNone : Reply::Body::kFramed;
  if (!then_.parser->ReadHead(text, head, body) || !IsSoundReply(head)) return false;
  const auto options = Options::Of(head);
  if (!options) return false;
  if (head.status == 101) {
    if (now_.upgrade.empty() || !IsUpgradedTo(head, *options, now_.upgrade)) return false;
    ReplyTerms terms;
    terms.upgrade = now_.upgrade;
    AppendReply(core_.text, head, *options, terms);
    phase_ = Phase::kTunnel;
    return true;
  }
  if (head.status < 200) {
    if (!now_.old_version) AppendReply(core_.text, head, *options, {});
    then_.parser.emplace();
    return true;
  }
  StartReply(head, *options);
  return true;
}

void Session::StartReply(const Head& head, const Options& options) {
  const bool chunked = head.Count(field::transfer_encoding) > 0;
  const bool counted = head.Count(field::content_length) > 0;
  const bool bodiless = then_.parser->is_done();
  const bool until_close = !bodiless && !chunked && !counted;
  then_.reusable = !until_close && !options.close && (head.version == 11 || options.keep_alive);
  then_.keep_alive = now_.keep_alive;
  ReplyTerms terms;
  terms.frame_ancestors = core_.frame_ancestors;
  terms.host = now_.host;
  terms.host_inside = now_.host_inside;
  if (!bodiless && !counted) {
    then_.chunks = !now_.old_version;
    terms.framing = then_.chunks ? ReplyTerms::Framing::kChunks : ReplyTerms::Framing::kUntilClose;
    if (now_.old_version) then_.keep_alive = false;
  }
  if (!then_.keep_alive || !now_.done) {
    terms.afterwards = ReplyTerms::Afterwards::kClose;
    then_.keep_alive = false;
  } else if (now_.old_version) {
    terms.afterwards = ReplyTerms::Afterwards::kKeepAlive;
  }
  AppendReply(core_.text, head, options, terms);
  then_.headed = true;
}

bool Session::TakeReplyBody(std::string_view raw) {
  core_.content.clear();
  const Reply::Took took = then_.parser->Take(raw, core_.content);
  then_.complete = then_.parser->is_done();
  const std::string_view rest = raw.substr(took.count);
  // More than was announced: whoever sends that is not asked again.
  if (then_.complete && !rest.empty()) then_.reusable = false;
  if (!then_.complete) reply_inbox_.assign(rest);
  if (!took.good || reply_inbox_.size() > kMostFraming) {
    Close();  // in the middle, so that nobody takes it for the whole
    return false;
  }
  std::size_t size = 0;
  for (const std::string_view piece : core_.content) size += piece.size();
  std::array<char, 20> digits{};
  core_.pieces.clear();
  if (!core_.text.empty()) core_.pieces.emplace_back(core_.text);
  if (then_.chunks && size > 0) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16);
    core_.pieces.emplace_back(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
    core_.pieces.emplace_back("\r\n");
  }
  core_.pieces.insert(core_.pieces.end(), core_.content.begin(), core_.content.end());
  if (then_.chunks && size > 0) core_.pieces.emplace_back("\r\n");
  if (then_.chunks && then_.complete) core_.pieces.emplace_back("0\r\n\r\n");
  then_.begun = true;
  const bool taken = core_.pieces.empty() || ToClient(core_.pieces);
  core_.text.clear();
  if (!then_.complete) return taken;
  if (taken) NextRequest();
  return false;
}

// From here on bytes go both ways as they are.
bool Session::BeginTunnel(std::string_view rest) {
  const std::array<std::string_view, 2> pieces = {core_.text, rest};
  now_ = {};
  then_ = {};
  then_.begun = true;
  const std::string early = std::exchange(inbox_, {});
  if (!early.empty()) {
    const std::string_view piece = early;
    ToUpstream({&piece, 1});
    if (closed_) return false;
  }
  WatchClient();
  return ToClient(pieces);
}

void Session::UpstreamEnded(Wire::State state) {
  if (phase_ == Phase::kTunnel) {
    upstream_ended_ = true;
    if (state == Wire::State::kBroken) return Close();
    if (outbox_.empty()) client_->Finish();
    if (client_ended_ && outbox_.empty()) Close();
    return;
  }
  if (then_.headed) {
    const bool whole = state == Wire::State::kEnded && then_.parser->End();
    if (!whole) return Close();
    then_.complete = true;
    const std::string_view last = "0\r\n\r\n";
    if (!then_.chunks || ToClient({&last, 1})) NextRequest();
    return;
  }
  const bool again = !then_.any && upstream_->rested() && now_.repeatable;
  DropUpstream();
  upbox_.clear();
  if (!again) return Say(PlainPage(502, "the server inside closed the connection"));
  // It had given up a connection that rested; a new one tells whether it is still there.
  phase_ = Phase::kPreparing;
  target_->Dial(now_.port, shared_from_this());
}

void Session::NextRequest() {
  if (upstream_ && then_.reusable && now_.done && upbox_.empty()) {
    std::exchange(upstream_, nullptr)->Rest();
  } else {
    DropUpstream();
  }
  if (!then_.keep_alive || !now_.done) return Farewell();
  then_ = {};
  phase_ = Phase::kHead;
  moved_ = Clock::now();
  if (inbox_.empty()) return WatchClient();
  boost::asio::post(core_.io, [self = shared_from_this()] {
    if (self->closed_ || self->phase_ != Phase::kHead) return;
    try {
      if (self->TakeHead({})) self->WatchClient();
    } catch (...) {
      self->Close();
    }
  });
}

}  // namespace cordon::preview
