// What the connections of one server have in common. Of its I/O thread alone, but for
// `unsent` and `count`.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "net/http_server.h"

namespace cordon::net {

class HttpConnection;

struct HttpCore {
  boost::asio::io_context io{1};
  HttpLimits limits;
  HttpHandler handler;
  HttpGate gate;
  std::unordered_map<const HttpConnection*, std::shared_ptr<HttpConnection>> connections;
  std::list<HttpConnection*> idle;  // between requests; the longest first
  std::size_t bodies = 0;           // bytes, beyond what is free
  // Bytes that wait to be sent, beyond what is free. Replies may outlive the server.
  std::shared_ptr<std::atomic<std::size_t>> unsent = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::size_t> count{0};
};

}  // namespace cordon::net
