// TLS towards visitors: a certificate and its key, from bytes in PEM.
#pragma once

#include <memory>
#include <string>

#include "cordon/result.h"
#include "preview/wire.h"

namespace cordon::preview {

// Thread safety: may be used by several threads.
class TlsIdentity {
 public:
  // Versions 1.2 and 1.3, without renegotiation and compression; offers http/1.1.
  // Errors: kInvalidArguments when they are no certificate chain and its key.
  static Result<std::shared_ptr<TlsIdentity>> Make(const std::string& chain,
                                                   const std::string& key);
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  // The handshake happens as it is read and written. Null: no memory.
  std::unique_ptr<Wire> Accept(Wire::Socket socket) const;

 private:
  struct State;
  explicit TlsIdentity(std::unique_ptr<State> state);
  const std::unique_ptr<State> state_;
};

}  // namespace cordon::preview
