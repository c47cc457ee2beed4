// Bytes both ways between a client and a host, until both have ended.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "net/egress_record.h"
#include "net/egress_session.h"

namespace cordon::net {

// One piece is under way in each direction at most, so a side that does not read slows the
// other down. The end of one side's sending is passed on; the other may go on.
class EgressTunnel final : public EgressSession {
 public:
  struct Ends {
    Socket client;
    Socket host;
    std::string early;  // what the client sent already
  };
  EgressTunnel(EgressCore& core, Ends ends, std::shared_ptr<EgressRecord> record);

 protected:
  void Begin() override;
  void OnClose() override;

 private:
  enum class Way { kUp, kDown };
  static constexpr std::size_t kPiece = std::size_t{16} << 10;

  void Read(Way way);
  void Write(Way way, std::size_t count);
  void End(Way way);
  Socket& From(Way way) { return way == Way::kUp ? client_ : host_; }
  Socket& To(Way way) { return way == Way::kUp ? host_ : client_; }
  std::array<char, kPiece>& Piece(Way way) { return way == Way::kUp ? up_ : down_; }

  Socket host_;
  std::string early_;
  std::shared_ptr<EgressRecord> record_;
  std::array<char, kPiece> up_ = {};
  std::array<char, kPiece> down_ = {};
  int open_ = 2;  // directions
};

}  // namespace cordon::net
