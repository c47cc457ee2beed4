// subscriptions/listen: one stream of changes to one client of the stateless era.
#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "mcp/hub.h"
#include "mcp/message.h"
#include "mcp/reply_stream.h"
#include "mcp/service.h"
#include "mcp/tasks.h"

namespace cordon::mcp {

// What a client wants to hear of, and is able to.
struct Interests {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string> uris;
  std::set<std::string> tasks;
};

// Goes on until it is ended, at the latest when it is dropped.
class Listening {
 public:
  // Where what is told comes from; all outlive it.
  struct Sources {
    Service& service;
    Hub& hub;
    Tasks& tasks;
  };
  // Acknowledges, then tells. What cannot be watched is left out of what is acknowledged.
  // Errors: kInvalidParams; kMissingCapability for tasks that the client does not take.
  static Answered<std::shared_ptr<Listening>> Begin(const Sources& sources, Exchange& exchange,
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
  Listening(Id id, std::shared_ptr<ReplyStream> stream, Tasks& tasks, Principal principal);
  std::optional<RpcError> Watch(const Sources& sources, Exchange& exchange,
                                const boost::json::object& wanted);
  void Tell(const Change& change);
  void TellTask(const std::string& id);
  void Send(std::string_view method, boost::json::object params);

  const Id id_;
  const std::shared_ptr<ReplyStream> stream_;
  Tasks& tasks_;
  const Principal principal_;
  std::mutex order_;  // of what is sent
  Interests interests_;
  std::vector<Service::Lease> leases_;
  Hub::Handle handle_;
  std::atomic<bool> ended_ = false;
};

}  // namespace cordon::mcp
