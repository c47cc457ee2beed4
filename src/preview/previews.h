// All of previews: where each is, who may see it, and the proxy that shows it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cordon/result.h"
#include "preview/ports.h"
#include "preview/proxy.h"
#include "provision/sandboxes.h"
#include "store/store.h"

namespace cordon::preview {

// A certificate chain and its key, as they are in their files now.
struct TlsText {
  std::string chain, key;
  bool operator==(const TlsText&) const = default;
};

struct PreviewTerms {
  std::string domain;  // set: production
  net::HttpAddress address{"127.0.0.1", 0};
  std::function<Result<TlsText>()> identity;  // set: TLS; asked again and again
  PortRange ports;
  std::uint16_t usual_port = kUsualPort;
  HostInside host_inside = HostInside::kLocal;
  std::vector<std::string> dashboards;  // origins whose pages may frame previews
  ProxyLimits limits = {};
};

// "https://dash.example.com", "http://localhost:3000": nothing behind the port.
bool IsOrigin(std::string_view text);

// Thread safety: all methods may run concurrently.
class Previews {
 public:
  struct Parts {
    std::shared_ptr<store::Store> store;
    std::shared_ptr<provision::Sandboxes> sandboxes;
    std::function<std::optional<std::string>(std::string_view)> user_of;  // as in ProxyParts
    std::function<store::Time()> now;
    std::string directory;  // for the key
  };
  // Listens, also on the ports that sandboxes had before. Errors: kInvalidArguments; those of the
  // key, of the certificate, and of listening.
  static Result<std::unique_ptr<Previews>> Open(Parts parts, PreviewTerms terms);
  ~Previews();
  Previews(const Previews&) = delete;
  Previews& operator=(const Previews&) = delete;

  // Where the preview of a sandbox is that has not ended. In development its port is reserved, and
  // listened on, when this returns. Errors: kLimitExceeded: every port is taken; kNotFound: it has
  // ended.
  Result<std::string> Url(const store::Sandbox& sandbox);
  // Of another port inside.
  std::string UrlOfPort(const SandboxId& id, std::uint16_t port) const;

  struct Link {
    std::string url;
    UnixSeconds expires = 0;
  };
  struct LinkTerms {
    std::optional<std::uint16_t> port;
    std::string path = "/";
    std::chrono::seconds lasts{3600};
  };
  // For who is to see it without a token. Errors: kInvalidArguments for a path that is none; those
  // of Url.
  Result<Link> Sign(const store::Sandbox& sandbox, const LinkTerms& terms);

  Status SetVisibility(const store::Sandbox& sandbox, store::Sandbox::Visibility visibility);

  // Pages of this origin may show previews in frames, as those of PreviewTerms::dashboards may.
  // Errors: kInvalidArguments.
  Status FramedBy(const std::string& origin);

  // To be told of every change of state; returns at once.
  void Changed(const store::Sandbox& sandbox);

  const Proxy& proxy() const { return *proxy_; }
  const UrlTerms& urls() const { return urls_; }

 private:
  Previews(Parts parts, PreviewTerms terms);
  Status Start();
  Status Restore();

  const Parts parts_;
  const PreviewTerms terms_;
  UrlTerms urls_;
  Ports ports_;
  std::mutex mutex_;
  std::optional<AccessKey> key_;               // guarded by mutex_
  std::map<SandboxId, std::uint16_t> opened_;  // guarded by mutex_
  std::unique_ptr<Proxy> proxy_;
  std::condition_variable_any turned_;
  std::jthread follower_;
};

}  // namespace cordon::preview
