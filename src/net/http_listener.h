// Where clients come in.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string>

#include "cordon/result.h"
#include "net/http_connection.h"
#include "net/http_server.h"
#include "net/local_address.h"
#include "platform/unique_fd.h"

namespace cordon::net {

class HttpListener {
 public:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

  explicit HttpListener(boost::asio::io_context& io) : acceptor_(io) {}

  // Errors: as HttpServer::Start.
  Status Listen(const HttpAddress& address);
  // The next one that waits; not valid if it is of a user who has no business here.
  // Errors: kTimeout: none; kLimitExceeded: no descriptor left.
  Result<platform::UniqueFd> Accept();

  Acceptor& acceptor() { return acceptor_; }
  HttpConnection::Kind kind() const { return kind_; }
  const std::string& address() const { return address_; }
  std::uint16_t port() const { return port_; }

 private:
  Status ListenTcp(const HttpAddress& address);
  Status ListenLocal(const std::string& path);

  Acceptor acceptor_;
  LocalAddress local_;  // gone with it
  HttpConnection::Kind kind_ = HttpConnection::Kind::kTcp4;
  std::string address_;
  std::uint16_t port_ = 0;
};

}  // namespace cordon::net
