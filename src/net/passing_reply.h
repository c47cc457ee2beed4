// A reply that passes everything on: the base of those that add one thing to another reply.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "net/http_server.h"

namespace cordon::net {

// Guarantees: what is not overridden does what the reply within does.
// Thread safety: as the reply within.
class PassingReply : public HttpReply {
 public:
  explicit PassingReply(std::shared_ptr<HttpReply> within) : within_(std::move(within)) {}
  PassingReply(const PassingReply&) = delete;
  PassingReply& operator=(const PassingReply&) = delete;

  void Send(HttpResponse response) override { within_->Send(std::move(response)); }
  void Begin(const HttpResponse& head) override { within_->Begin(head); }
  bool Write(std::string piece) override { return within_->Write(std::move(piece)); }
  bool TryWrite(std::string piece) override { return within_->TryWrite(std::move(piece)); }
  void End() override { within_->End(); }
  bool open() const override { return within_->open(); }
  void OnGone(std::function<void()> gone) override { within_->OnGone(std::move(gone)); }
  std::shared_ptr<WebSocket> Upgrade(const WebSocketTerms& terms) override {
    return within_->Upgrade(terms);
  }

 private:
  const std::shared_ptr<HttpReply> within_;
};

}  // namespace cordon::net
