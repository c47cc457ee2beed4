#include "preview/previews.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::preview {
namespace {

using store::SandboxState;

constexpr std::chrono::seconds kLookAtIdentity{2};
constexpr std::size_t kMostListed = 1000;

Error Refused(ErrorCode code, std::string_view component, std::string detail) {
  Error error;
  error.code = code;
  error.op = "preview";
  error.component = component;
  error.detail = std::move(detail);
  return error;
}

bool IsOver(const store::Sandbox& sandbox) {
  return store::HasEnded(sandbox.state) || sandbox.state == SandboxState::kTerminating;
}

UrlTerms UrlsOf(const PreviewTerms& terms) {
  UrlTerms urls;
  urls.mode = terms.domain.empty() ? Mode::kDevelopment : Mode::kProduction;
  if (!terms.domain.empty()) urls.domain = terms.domain;
  urls.usual_port = terms.usual_port;
  return urls;
}

}  // namespace

bool IsOrigin(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    return !rest.empty() && rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.:[]") ==
                                std::string_view::npos;
  }
  return false;
}

Previews::Previews(Parts parts, PreviewTerms terms)
    : parts_(std::move(parts)),
      terms_(std::move(terms)),
      urls_(UrlsOf(terms_)),
      ports_(parts_.store, terms_.ports) {}

// The one that looks for a new certificate ends before what it would be given to.
Previews::~Previews() {
  follower_.request_stop();
  if (follower_.joinable()) follower_.join();
}

Result<std::unique_ptr<Previews>> Previews::Open(Parts parts, PreviewTerms terms) {
  std::unique_ptr<Previews> previews(new Previews(std::move(parts), std::move(terms)));
  TRY(previews->Start());
  TRY(previews->Restore());
  return previews;
}

Status Previews::Start() {
  if (!terms_.domain.empty() && !IsPreviewDomain(terms_.domain)) {
    return Refused(ErrorCode::kInvalidArguments, terms_.domain,
                   "previews cannot have names below it");
  }
  TRY_ASSIGN(key_, AccessKey::ReadOrMake(parts_.directory));
  ProxyParts proxy;
  proxy.backend = MakeBackend(parts_.store, parts_.sandboxes);
  proxy.user_of = parts_.user_of;
  proxy.now = [now = parts_.now] { return now() / 1000; };
  // A second object on the same key: each serves one thread.
  TRY_ASSIGN(proxy.key, AccessKey::ReadOrMake(parts_.directory));
  proxy.urls = urls_;
  proxy.host_inside = terms_.host_inside;
  proxy.limits = terms_.limits;
  proxy.address = terms_.address;
  for (const std::string& origin : terms_.dashboards) {
    if (!IsOrigin(origin)) {
      return Refused(ErrorCode::kInvalidArguments, origin, "this is no origin of a dashboard");
    }
    proxy.frame_ancestors.append(" ").append(origin);
  }
  if (!terms_.identity) {
    TRY_ASSIGN(proxy_, Proxy::Start(std::move(proxy)));
  } else {
    TRY_ASSIGN(TlsText text, terms_.identity());
    TRY_ASSIGN(proxy.identity, TlsIdentity::Make(text.chain, text.key));
    TRY_ASSIGN(proxy_, Proxy::Start(std::move(proxy)));
    follower_ = std::jthread([this, last = std::move(text)](const std::stop_token& stop) mutable {
      std::mutex alone;
      std::unique_lock lock(alone);
      while (
          !turned_.wait_for(lock, stop, kLookAtIdentity, [&] { return stop.stop_requested(); })) {
        auto now = terms_.identity();
        if (!now || *now == last) continue;
        // Half of a new pair is none: the old one goes on until both fit.
        const auto identity = TlsIdentity::Make(now->chain, now->key);
        if (!identity) continue;
        last = std::move(*now);
        proxy_->Use(*identity);
      }
    });
  }
  urls_.listening = proxy_->port();
  return {};
}

Status Previews::FramedBy(const std::string& origin) {
  if (!IsOrigin(origin)) {
    return Refused(ErrorCode::kInvalidArguments, origin, "this is no origin of a dashboard");
  }
  proxy_->FramedBy(origin);
  return {};
}

// The doors of sandboxes that were there before.
Status Previews::Restore() {
  if (urls_.mode == Mode::kProduction) return {};
  store::SandboxFilter filter;
  filter.states = {SandboxState::kPending, SandboxState::kReady, SandboxState::kPaused};
  filter.most = kMostListed;
  while (true) {
    TRY_ASSIGN(const auto found, parts_.store->ListSandboxes(filter));
    for (const store::Sandbox& one : found) {
      // One that cannot have its port back gets another when it is asked for.
      if (one.port) static_cast<void>(Url(one));
    }
    if (found.size() < kMostListed) return {};
    filter.after = found.back().id;
  }
}

Result<std::string> Previews::Url(const store::Sandbox& sandbox) {
  if (IsOver(sandbox)) return Refused(ErrorCode::kNotFound, "", "the sandbox has ended");
  if (urls_.mode == Mode::kProduction) return PreviewUrl(sandbox.id, 0, urls_);
  const std::lock_guard lock(mutex_);
  auto found = opened_.find(sandbox.id);
  if (found == opened_.end()) {
    TRY_ASSIGN(Ports::Reserved reserved, ports_.Reserve(sandbox.id));
    found = opened_.emplace(sandbox.id, reserved.port).first;
    proxy_->Open(sandbox.id, std::move(reserved));
  }
  return PreviewUrl(sandbox.id, found->second, urls_);
}

std::string Previews::UrlOfPort(const SandboxId& id, std::uint16_t port) const {
  return PreviewUrlOfPort(id, port, urls_);
}

Result<Previews::Link> Previews::Sign(const store::Sandbox& sandbox, const LinkTerms& terms) {
  std::string base;
  if (terms.port && *terms.port != urls_.usual_port) {
    if (IsOver(sandbox)) return Refused(ErrorCode::kNotFound, "", "the sandbox has ended");
    base = UrlOfPort(sandbox.id, *terms.port);
  } else {
    TRY_ASSIGN(base, Url(sandbox));
  }
  const UnixSeconds expires = parts_.now() / 1000 + terms.lasts.count();
  std::string grant;
  {
    const std::lock_guard lock(mutex_);
    grant = key_->Grant(sandbox.id, expires);
  }
  const std::string target = EntranceTarget(grant, terms.path);
  const auto entrance = ParseEntrance(target);
  if (!entrance || entrance->path != terms.path) {
    return Refused(ErrorCode::kInvalidArguments, "path", "a path begins with one slash");
  }
  return Link{base + target, expires};
}

Status Previews::SetVisibility(const store::Sandbox& sandbox,
                               store::Sandbox::Visibility visibility) {
  TRY(parts_.store->SetVisibility(sandbox.id, visibility));
  proxy_->Changed(sandbox);
  return {};
}

void Previews::Changed(const store::Sandbox& sandbox) {
  if (IsOver(sandbox)) {
    const std::lock_guard lock(mutex_);
    opened_.erase(sandbox.id);
  }
  proxy_->Changed(sandbox);
}

}  // namespace cordon::preview
