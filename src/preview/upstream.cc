#include "preview/upstream.h"

#include <boost/asio/ip/tcp.hpp>

#include "preview/session.h"
#include "preview/target.h"

namespace cordon::preview {
namespace {

Wire::Socket SocketOf(Core& core, platform::UniqueFd descriptor) {
  Wire::Socket socket(core.io);
  boost::system::error_code failed;
  // Which family it really is of makes no difference to what is done with it.
  socket.assign(Wire::Socket::protocol_type(boost::asio::ip::tcp::v4()), descriptor.get(), failed);
  if (!failed) static_cast<void>(descriptor.release());
  return socket;
}

}  // namespace

Upstream::Upstream(Core& core, std::weak_ptr<Target> target, std::uint16_t port,
                   platform::UniqueFd socket)
    : target_(std::move(target)),
      port_(port),
      wire_(MakePlainWire(SocketOf(core, std::move(socket)))) {}

void Upstream::WatchRead() {
  if (watching_read_) return;
  watching_read_ = true;
  wire_->socket().async_wait(Wire::Socket::wait_read,
                             [self = shared_from_this()](const boost::system::error_code& failed) {
                               self->watching_read_ = false;
                               if (failed) return;
                               if (self->session_ != nullptr)
                                 return self->session_->OnUpstreamReadable();
                               // Resting: whatever it says now is no answer to anything.
                               if (const auto target = self->target_.lock()) target->Forget(*self);
                               self->wire_->Close();
                             });
}

void Upstream::WatchWrite() {
  if (watching_write_) return;
  watching_write_ = true;
  wire_->socket().async_wait(Wire::Socket::wait_write,
                             [self = shared_from_this()](const boost::system::error_code& failed) {
                               self->watching_write_ = false;
                               if (!failed && self->session_ != nullptr)
                                 self->session_->OnUpstreamWritable();
                             });
}

void Upstream::Drop() {
  session_ = nullptr;
  wire_->Close();
}

void Upstream::Rest() {
  session_ = nullptr;
  rested_ = true;
  resting_since_ = Clock::now();
  const auto target = target_.lock();
  if (!target || !target->Keep(shared_from_this())) return wire_->Close();
  WatchRead();
}

}  // namespace cordon::preview
