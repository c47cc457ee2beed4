// subscriptions/listen: one stream of changes to one client of the stateless era.
#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "mcp/hub.h"
#include "mcp/message.h"
#include "mcp/reply_stream.h"
#include "mcp/service.h"

namespace cordon::mcp {

// What a client wants to hear of, and is able to.
struct Interests {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string> uris;
};

// Goes on until it is ended, at the latest when it is dropped.
class Listening {
 public:
  // Acknowledges, then tells. `uris` that cannot be watched are left out of what is
  // acknowledged. Errors: kInvalidParams.
  static Answered<std::shared_ptr<Listening>> Begin(Service& service, Hub& hub, Exchange& exchange,
                                                    const Request& request,
                                                    std::shared_ptr<ReplyStream> stream);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  // There will be no more: ends the stream as the protocol wants it. At most one of both.
  void End();
  // The client wants no more, not even an ending.
  void Abandon();

 private:
  Listening(Id id, std::shared_ptr<ReplyStream> stream);
  void Tell(const Change& change);
  void Send(std::string_view method, boost::json::object params);

  const Id id_;
  const std::shared_ptr<ReplyStream> stream_;
  std::mutex order_;  // of what is sent
  Interests interests_;
  std::vector<Service::Lease> leases_;
  Hub::Handle handle_;
  std::atomic<bool> ended_ = false;
};

}  // namespace cordon::mcp
