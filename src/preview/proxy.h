// The reverse proxy in front of the servers inside sandboxes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "net/http_server.h"
#include "preview/access.h"
#include "preview/backend.h"
#include "preview/core.h"
#include "preview/ports.h"
#include "preview/preview_url.h"
#include "preview/tls.h"

namespace cordon::preview {

struct ProxyParts {
  std::shared_ptr<Backend> backend;
  // The user whose token an Authorization field holds and who may read sandboxes with it. Called
  // in the I/O thread.
  std::function<std::optional<std::string>(std::string_view)> user_of;
  std::function<UnixSeconds()> now;
  std::optional<AccessKey> key;
  UrlTerms urls;
  HostInside host_inside = HostInside::kLocal;
  std::string frame_ancestors = "'self'";  // besides it, origins of dashboards
  ProxyLimits limits = {};
  net::HttpAddress address;                    // where previews are found by name
  std::shared_ptr<TlsIdentity> identity = {};  // set: TLS there
};

// Guarantees: a request reaches nothing but the one port of the one sandbox that its host names,
// and
//   only if the sandbox is public, or the request has a grant for it, or its owner's token; neither
//   of these is passed on. Bodies are not kept. Requests that two readers could read differently
//   are refused. What was begun and cannot be ended is cut, never made to look whole.
// One thread serves all connections; what waits for a sandbox is done in others.
// Thread safety: all methods may run concurrently.
class Proxy {
 public:
  // Listens when it returns. Errors: those of net::HttpListener.
  static Result<std::unique_ptr<Proxy>> Start(ProxyParts parts);
  virtual ~Proxy() = default;

  // Where names are served.
  virtual std::string address() const = 0;
  virtual std::uint16_t port() const = 0;

  // Opens a door of its own for a sandbox, at a port of this machine.
  virtual void Open(const SandboxId& id, Ports::Reserved reserved) = 0;
  // A sandbox has another state, or another visibility. Its door goes with it when it ends.
  virtual void Changed(const store::Sandbox& sandbox) = 0;
  // Pages of this origin may frame previews, too; from about now on.
  virtual void FramedBy(std::string origin) = 0;
  // For connections to come.
  virtual void Use(std::shared_ptr<TlsIdentity> identity) = 0;
};

}  // namespace cordon::preview
