// What is known of a client of the handshake era between its requests.
#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "mcp/client.h"
#include "mcp/exchange.h"
#include "mcp/hub.h"
#include "mcp/pending_asks.h"
#include "mcp/reply_stream.h"
#include "mcp/request_notices.h"
#include "mcp/running.h"
#include "mcp/service.h"
#include "mcp/session_tasks.h"
#include "mcp/waiting_room.h"

namespace cordon::mcp {

struct SessionState {
  SessionState(Service& what, Principal who, std::shared_ptr<MessageSink> where,
               std::shared_ptr<WaitingRoom> waiting, std::shared_ptr<Tasks> which);

  // Takes what `initialize` says. Errors: kInvalidRequest, kInvalidParams.
  Answered<boost::json::object> Initialize(const boost::json::object& params);
  // Makes sure that the Service knows the client and its roots before `exchange` goes on.
  // Errors: TooBusy, when somebody else asks the client for long, or there is no room to wait.
  std::optional<RpcError> Greet(Exchange& exchange);
  std::optional<RpcError> WaitUntilGreeted(Exchange& exchange, std::unique_lock<std::mutex>& lock);
  Answered<boost::json::object> Answer(Exchange& exchange, std::string_view method,
                                       const boost::json::object& params);
  void Tell(const Change& change);

  Answered<boost::json::object> SetLevel(const boost::json::object& params);
  Answered<boost::json::object> Subscribe(Exchange& exchange, const boost::json::object& params);
  Answered<boost::json::object> Unsubscribe(const boost::json::object& params);

  Service& service;
  const std::shared_ptr<MessageSink> unasked;
  const std::shared_ptr<WaitingRoom> room;
  SessionTasks tasks;
  Running running;
  PendingAsks asks;

  std::mutex mutex;  // of what follows
  bool initialized = false;
  Client client;  // does not change after `initialize`
  std::optional<LogLevel> threshold = LogLevel::kInfo;
  std::map<std::string, Service::Lease> subscriptions;
  Hub::Handle listening;

  std::mutex greeting;  // of what follows
  std::condition_variable_any greeted;
  bool greets = false;  // the Service is being told of the client or its roots
  bool joined = false;
  std::shared_ptr<void> attachment;  // set once, by Greet
  std::atomic<bool> roots_changed = false;
};

}  // namespace cordon::mcp
