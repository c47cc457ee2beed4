// A client that speaks SOCKS5 (RFC 1928) to the egress proxy.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "net/egress_dial.h"
#include "net/egress_session.h"

namespace cordon::net {

// CONNECT without authentication; whatever else there is gets the reply that says so.
class EgressSocks final : public EgressSession {
 public:
  EgressSocks(EgressCore& core, Socket client) : EgressSession(core, std::move(client)) {}

 protected:
  void Begin() override;
  void OnClose() override;

 private:
  static constexpr std::size_t kLongest = 260;  // of anything a client says before the end

  // Reads exactly `size` bytes to the front of bytes_, then goes on.
  void Read(std::size_t size, void (EgressSocks::*then)());
  void OnGreeting();
  void OnMethods();
  void OnRequest();
  void OnNameLength();
  void OnName();
  void OnAddress4();
  void OnAddress6();
  void Dial(std::string host, std::size_t port_at);
  void OnDialed(DialResult result);
  void Refuse(std::uint8_t code);
  void Malformed(std::uint8_t code, std::string_view why);

  std::array<std::uint8_t, kLongest> bytes_ = {};
  std::size_t name_size_ = 0;
  std::shared_ptr<EgressDial> dial_;
};

}  // namespace cordon::net
