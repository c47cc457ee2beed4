#include "net/egress_tunnel.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace cordon::net {

namespace asio = boost::asio;
using boost::system::error_code;

EgressTunnel::EgressTunnel(EgressCore& core, Ends ends, std::shared_ptr<EgressRecord> record)
    : EgressSession(core, std::move(ends.client)),
      host_(std::move(ends.host)),
      early_(std::move(ends.early)),
      record_(std::move(record)) {}

void EgressTunnel::Begin() {
  Arm(core_.limits.idle_time);
  Read(Way::kDown);
  if (early_.empty()) return Read(Way::kUp);
  asio::async_write(
      host_, asio::buffer(early_),
      Handler(*this, [](EgressTunnel& self, const error_code& failed, std::size_t count) {
        self.record_->AddUp(count);
        if (failed) return self.Close();
        self.early_ = {};
        self.Read(Way::kUp);
      }));
}

void EgressTunnel::OnClose() {
  error_code ignored;
  host_.close(ignored);
  record_.reset();
}

void EgressTunnel::Read(Way way) {
  From(way).async_read_some(
      asio::buffer(Piece(way)),
      Handler(*this, [way](EgressTunnel& self, const error_code& failed, std::size_t count) {
        if (failed == asio::error::eof) return self.End(way);
        if (failed) return self.Close();
        self.Arm(self.core_.limits.idle_time);
        self.Write(way, count);
      }));
}

void EgressTunnel::Write(Way way, std::size_t count) {
  asio::async_write(
      To(way), asio::buffer(Piece(way).data(), count),
      Handler(*this, [way](EgressTunnel& self, const error_code& failed, std::size_t written) {
        way == Way::kUp ? self.record_->AddUp(written) : self.record_->AddDown(written);
        if (failed) return self.Close();
        self.Arm(self.core_.limits.idle_time);
        self.Read(way);
      }));
}

void EgressTunnel::End(Way way) {
  error_code failed;
  To(way).shutdown(Socket::shutdown_send, failed);
  if (--open_ == 0 || failed) Close();
}

}  // namespace cordon::net
