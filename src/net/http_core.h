// What the connections of one server have in common. Of its I/O thread alone, but for
// `unsent` and `count`.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "net/http_server.h"
#include "net/unsent.h"

namespace cordon::net {

class HttpConnection;

struct HttpCore {
  boost::asio::io_context io{1};
  HttpLimits limits;
  HttpHandler handler;
  HttpGate gate;
  std::unordered_map<const HttpConnection*, std::shared_ptr<HttpConnection>> connections;
  // Who makes room for a newcomer, in this order; in both the longest there goes first.
  std::list<HttpConnection*> strangers;  // nothing of theirs has passed the gate yet
  std::list<HttpConnection*> idle;       // between requests, up to the gate for the next one
  std::size_t bodies = 0;                // bytes, beyond what is free
  std::shared_ptr<Unsent> unsent;        // beyond what is free; replies may outlive the server
  std::atomic<std::size_t> count{0};
  // What is answered is still sent, for a while, then nothing any more.
  bool closing = false;
  boost::asio::steady_timer last_words{io};
};

}  // namespace cordon::net
