// A visitor's request: read, judged, and passed on.
#include <array>
#include <charconv>
#include <utility>

#include "net/ascii.h"
#include "preview/forward.h"
#include "preview/preview_host.h"
#include "preview/session.h"

namespace cordon::preview {
namespace {

using boost::beast::http::field;
using store::SandboxState;

constexpr std::string_view kOurBearer = "Bearer cordon_";
constexpr std::size_t kMostFraming = std::size_t{16} << 10;

bool AsksForHtml(const Head& head) {
  for (const Field& one : head.fields) {
    if (one.known == field::accept && one.value.find("text/html") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool IsOurs(std::string_view authorization) {
  return authorization.size() > kOurBearer.size() &&
         net::SameIgnoringCase(authorization.substr(0, kOurBearer.size()), kOurBearer);
}

}  // namespace

bool Session::TakeHead(std::string_view bytes) {
  std::string_view text = bytes;
  if (!inbox_.empty()) {
    inbox_.append(bytes);
    text = inbox_;
  }
  const auto length = HeadLength(text);
  if (!length || *length > core_.limits.head) {
    if (text.size() > core_.limits.head) {
      now_ = {};
      Say(PlainPage(431, "the head of the request is too long"));
      return !closed_;
    }
    // From its first byte on: who sends it slowly gains nothing by it.
    if (inbox_.empty()) {
      moved_ = Clock::now();
      inbox_ = text;
    }
    return true;
  }
  moved_ = Clock::now();
  const std::optional<Page> refusal = ReadRequest(text.substr(0, *length));
  // Only now: the head stood in there.
  if (text.data() == inbox_.data()) {
    inbox_.erase(0, *length);
  } else {
    inbox_.assign(text.substr(*length));
  }
  refusal ? Say(*refusal) : Advance();
  return !closed_;
}

// What is to be said instead of passing it on.
std::optional<Page> Session::ReadRequest(std::string_view text) {
  std::string head = std::move(now_.head);  // its room is used again
  head.clear();
  now_ = {};
  now_.head = std::move(head);
  then_ = {};
  phase_ = Phase::kPreparing;
  const auto refuse = [this](std::uint16_t status, std::string_view why) {
    now_.done = false;  // where the next one would begin is not known
    return PlainPage(status, why);
  };
  now_.parser.emplace();
  Head& read = core_.head;
  if (!now_.parser->ReadHead(text, read, Request::Body::kFramed)) {
    return refuse(400, "this is no HTTP request");
  }
  now_.wants_html = AsksForHtml(read);
  now_.is_head = read.method == "HEAD";
  if (const auto fault = CheckRequest(read)) return refuse(fault->status, fault->why);
  const auto options = Options::Of(read);
  if (!options) return refuse(400, "Connection names what is not for one hop alone");
  now_.old_version = read.version == 10;
  now_.keep_alive = !options->close && (!now_.old_version || options->keep_alive);
  now_.done = now_.parser->is_done();
  now_.chunked = read.Count(field::transfer_encoding) > 0;
  now_.repeatable = IsRepeatable(read);
  now_.host = *read.Only(field::host);
  const auto id = FindPlace(now_.host);
  if (!id) {
    if (door_.sandbox) return refuse(421, "this is no name of the preview that is here");
    return UnknownPage();
  }
  if (!target_ || target_->id() != *id) {
    LeaveTarget();
    target_ = Target::Of(core_, *id);
    if (target_->visitors() >= core_.limits.connections_of_one) {
      return refuse(503, "too many visitors at a time");
    }
    target_->Enter(*this);
  }
  NoteAccess(read, *id);
  BuildHead(read, *options);
  return std::nullopt;
}

std::optional<SandboxId> Session::FindPlace(std::string_view host) {
  if (door_.sandbox) {
    if (!IsLocalHost(host, door_.port)) return std::nullopt;
    now_.port = core_.urls.usual_port;
    return door_.sandbox;
  }
  auto named = ParsePreviewHost(host, core_.urls);
  if (!named) return std::nullopt;
  now_.port = named->port;
  return std::move(named->id);
}

// What the request shows of its right to be here.
void Session::NoteAccess(const Head& head, const SandboxId& id) {
  const std::string name = CookieName(id, core_.urls.mode);
  const UnixSeconds now = core_.now();
  for (const Field& one : head.fields) {
    if (one.known != field::cookie || now_.granted) continue;
    EachCookie(one.value, [&](std::string_view key, std::string_view value, std::string_view) {
      if (key == name && core_.key->Check(value, id, now)) now_.granted = true;
    });
  }
  const auto authorization = head.Only(field::authorization);
  if (authorization && IsOurs(*authorization)) now_.bearer = *authorization;
  const auto origin = head.Only(field::origin);
  std::string own(door_.scheme);
  own.append("://").append(now_.host);
  now_.foreign_origin = origin && !net::SameIgnoringCase(*origin, own);
  if (head.target.starts_with("/.cordon/")) now_.target = head.target;
}

void Session::BuildHead(const Head& head, const Options& options) {
  if (const auto wanted = WantedUpgrade(head, options)) now_.upgrade = *wanted;
  const bool local = core_.host_inside == HostInside::kLocal && !door_.sandbox;
  now_.host_inside = local ? "localhost:" + std::to_string(now_.port) : now_.host;
  RequestTerms terms{address_, door_.scheme, now_.host, now_.host_inside, now_.upgrade};
  if (!now_.bearer.empty()) terms.authorization = RequestTerms::Authorization::kKeep;
  AppendRequest(now_.head, head, options, terms);
}

bool Session::MayEnter() const {
  if (now_.granted) return true;
  const store::Sandbox& sandbox = target_->sandbox();
  if (sandbox.visibility == store::Sandbox::Visibility::kPublic) return true;
  if (now_.bearer.empty()) return false;
  const auto user = core_.user_of(now_.bearer);
  return user && *user == sandbox.user;
}

// The next step to an answer; comes back here when the target knows more.
void Session::Advance() {
  if (closed_ || phase_ != Phase::kPreparing) return;
  if (!now_.target.empty()) return Enter();
  if (target_->known() == Target::Known::kNothing) return target_->Look(shared_from_this());
  if (target_->known() == Target::Known::kMissing) return Say(UnknownPage());
  if (target_->known() == Target::Known::kTrouble) {
    return Say(PlainPage(503, "the server is busy; try again"));
  }
  if (!MayEnter()) return Say(UnknownPage());
  const bool by_cookie =
      now_.bearer.empty() && target_->sandbox().visibility == store::Sandbox::Visibility::kPrivate;
  if (!now_.upgrade.empty() && now_.foreign_origin && by_cookie) {
    return Say(PlainPage(403, "another site's page may not connect here"));
  }
  const store::Sandbox& sandbox = target_->sandbox();
  if (store::HasEnded(sandbox.state) || sandbox.state == SandboxState::kTerminating) {
    return Say(EndedPage(sandbox));
  }
  if (sandbox.state == SandboxState::kPending) return Say(StartingPage());
  if (target_->leased()) return Connect();
  if (sandbox.state == SandboxState::kPaused && sandbox.reason != "idle") return Say(PausedPage());
  target_->Wake(shared_from_this());
}

// What it is now says the next look; but it is not asked for ever.
void Session::OnNotWoken() {
  if (closed_ || phase_ != Phase::kPreparing) return;
  Say(StartingPage());
}

// A signed URL: the grant becomes a cookie of this host.
void Session::Enter() {
  const auto entrance = ParseEntrance(now_.target);
  const UnixSeconds now = core_.now();
  const auto expires =
      entrance ? core_.key->Check(entrance->grant, target_->id(), now) : std::nullopt;
  if (!expires) return Say(UnknownPage());
  std::string text = "HTTP/1.1 303 See Other\r\nLocation: " + entrance->path + "\r\nSet-Cookie: ";
  text += CookieText(CookieName(target_->id(), core_.urls.mode), entrance->grant,
                     std::chrono::seconds(*expires - now));
  text += "\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nContent-Length: 0\r\n";
  text += now_.done && now_.keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
  SayText(text);
}

void Session::Connect() {
  const auto reliance = now_.repeatable ? Target::Reliance::kAny : Target::Reliance::kFresh;
  if (upstream_) DropUpstream();
  upstream_ = target_->Take(now_.port, reliance);
  if (!upstream_) return target_->Dial(now_.port, shared_from_this());
  SendRequest();
}

void Session::OnDialled(Dialled dialled) {
  if (closed_ || phase_ != Phase::kPreparing || !target_) {
    if (dialled.upstream) dialled.upstream->Drop();
    return;
  }
  if (dialled.outcome == Dialled::Outcome::kClosed) {
    return Say(ClosedPortPage(target_->id(), now_.port, dialled.listening, core_.urls));
  }
  if (!dialled.upstream) return Say(PlainPage(502, "the sandbox takes no connection"));
  upstream_ = std::move(dialled.upstream);
  SendRequest();
}

void Session::OnSandboxEnded() {
  if (closed_) return;
  if (phase_ == Phase::kPreparing) return Advance();
  if (phase_ == Phase::kExchange && !then_.begun && !then_.complete) {
    return Say(PlainPage(502, "the sandbox has ended"));
  }
  if (phase_ == Phase::kExchange || phase_ == Phase::kTunnel) Close();
}

void Session::SendRequest() {
  phase_ = Phase::kExchange;
  Alive();
  upstream_->Serve(*this);
  then_.parser.emplace();
  reply_inbox_.clear();
  const std::string_view head = now_.head;
  if (!ToUpstream({&head, 1}) && (closed_ || phase_ != Phase::kExchange)) return;
  if (!now_.done && !inbox_.empty()) {
    const std::string body = std::exchange(inbox_, {});
    PumpRequest(body);
    if (closed_ || phase_ != Phase::kExchange) return;
  }
  if (upstream_) upstream_->WatchRead();
  if (upbox_.empty() && inbox_.size() < kMostFraming) WatchClient();
}

// Passes on what of `raw` is content. True: more can be taken.
bool Session::PumpRequest(std::string_view raw) {
  std::string joined;
  if (!inbox_.empty()) {
    joined = std::exchange(inbox_, {});
    joined.append(raw);
    raw = joined;
  }
  core_.content.clear();
  const Request::Took took = now_.parser->Take(raw, core_.content);
  now_.done = now_.parser->is_done();
  inbox_.assign(raw.substr(took.count));
  if (!took.good || (!now_.done && inbox_.size() > kMostFraming)) {
    // The server inside must not take the half of it for the whole.
    DropUpstream();
    if (then_.begun) {
      Close();
    } else {
      now_.done = false;
      Say(PlainPage(400, "the body of the request is malformed"));
    }
    return false;
  }
  std::size_t size = 0;
  for (const std::string_view piece : core_.content) size += piece.size();
  std::array<char, 20> digits{};
  core_.pieces.clear();
  if (now_.chunked && size > 0) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16);
    core_.pieces.emplace_back(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
    core_.pieces.emplace_back("\r\n");
  }
  core_.pieces.insert(core_.pieces.end(), core_.content.begin(), core_.content.end());
  if (now_.chunked && size > 0) core_.pieces.emplace_back("\r\n");
  if (now_.chunked && now_.done) core_.pieces.emplace_back("0\r\n\r\n");
  if (core_.pieces.empty()) return true;
  const std::vector<std::string_view> pieces = core_.pieces;
  return ToUpstream(pieces);
}

}  // namespace cordon::preview
