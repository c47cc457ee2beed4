#include "consent/line_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace cordon::consent {

namespace asio = boost::asio;

LineConnection::LineConnection(Socket socket, std::size_t max_line)
    : socket_(std::move(socket)), max_line_(max_line) {}

void LineConnection::Start(Handlers handlers) {
  handlers_ = std::move(handlers);
  Read();
}

void LineConnection::Send(std::string line) {
  if (!open_) return;
  unsent_bytes_ += line.size();
  unsent_.push_back(std::move(line));
  if (unsent_bytes_ > kMaxUnsent) {
    // Not from here: the caller may be going through all connections.
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->Fail(); });
    return;
  }
  if (unsent_.size() == 1) Write();
}

void LineConnection::Close() {
  open_ = false;
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void LineConnection::Read() {
  socket_.async_read_some(
      asio::buffer(chunk_),
      [self = shared_from_this()](const boost::system::error_code& failed, std::size_t count) {
        if (!self->open_) return;
        if (failed) return self->Fail();
        self->received_.append(self->chunk_.data(), count);
        self->TakeLines();
        if (self->received_.size() > self->max_line_) return self->Fail();
        if (self->open_) self->Read();
      });
}

void LineConnection::TakeLines() {
  std::size_t begin = 0;
  std::size_t end = 0;
  while (open_ && (end = received_.find('\n', begin)) != std::string::npos) {
    handlers_.line(std::string_view(received_).substr(begin, end - begin));
    begin = end + 1;
  }
  received_.erase(0, begin);
}

void LineConnection::Write() {
  asio::async_write(
      socket_, asio::buffer(unsent_.front()),
      [self = shared_from_this()](const boost::system::error_code& failed, std::size_t /*count*/) {
        if (!self->open_) return;
        if (failed) return self->Fail();
        self->unsent_bytes_ -= self->unsent_.front().size();
        self->unsent_.pop_front();
        if (!self->unsent_.empty()) self->Write();
      });
}

void LineConnection::Fail() {
  if (!open_) return;
  Close();
  if (handlers_.closed) handlers_.closed();
}

}  // namespace cordon::consent
