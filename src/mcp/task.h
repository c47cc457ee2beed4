// A tool's call that goes on after its request was answered.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp/client.h"
#include "mcp/rpc_error.h"
#include "mcp/service.h"

namespace cordon::mcp {

enum class TaskStatus { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };
bool HasEnded(TaskStatus status);

// What is called, and for whom.
struct TaskCall {
  Client client;
  boost::json::object params;        // of tools/call
  std::shared_ptr<void> attachment;  // as Exchange's
  // What came with the call, where it was repeated for answers.
  boost::json::object responses = {};
  std::optional<boost::json::object> carried = {};
};

// How a task stands at one moment.
struct TaskState {
  TaskStatus status = TaskStatus::kWorking;
  std::chrono::system_clock::time_point created;
  std::chrono::system_clock::time_point updated;
  std::chrono::milliseconds ttl{0};                   // from `created` on
  boost::json::object questions = {};                 // of kInputRequired, by key
  boost::json::object carry = {};                     // with the questions
  std::shared_ptr<const boost::json::object> result;  // of kCompleted
  std::optional<RpcError> error = {};                 // of kFailed
};

// The Service is called as in the stateless era: with a question pending it ends, and is
// called again when every question is answered. So nobody waits for a person, and the
// Service cannot tell a task from a request that is repeated.
//
// Guarantees: an answer counts for the question under its key, and once; no key is used
//   twice. What was cancelled stays so, whatever the call comes to.
// Thread safety: everything may run concurrently, but for Run.
class Task {
 public:
  struct Lifetime {
    std::chrono::milliseconds longest = std::chrono::hours(2);
    std::chrono::milliseconds after_its_end = std::chrono::minutes(15);
  };
  // `changed`: told after each change; must not wait.
  Task(std::string id, TaskCall call, Lifetime lifetime, std::function<void()> changed);

  const std::string& id() const { return id_; }
  const Client& client() const { return call_.client; }

  // Calls the Service once: first, and whenever Answer says so. One thread at a time.
  void Run(Service& service);
  enum class Next { kRun, kNothing };
  // What was not asked is ignored, and so is what is no answer.
  Next Answer(const boost::json::object& responses);
  void Cancel();
  // The same, and nobody is told: it is not kept any more.
  void Drop();
  void Fail(RpcError error);

  TaskState Look() const;
  // Until it has ended or asks, at most for `patience`.
  TaskState Await(std::chrono::milliseconds patience, const std::stop_token& stop) const;
  bool IsOver(std::chrono::system_clock::time_point now) const;  // its lifetime

  // For who puts its questions to the client: until it is dropped nobody else does. Null:
  // somebody does already.
  std::shared_ptr<void> BeginAsking();
  // Until somebody else has, at most for `patience`.
  void AwaitAnswers(std::chrono::milliseconds patience, const std::stop_token& stop) const;

 private:
  // False: it had ended.
  bool Stop();
  // With the mutex held.
  void Become(TaskStatus status);
  void Ask(const boost::json::object& pending, const boost::json::object& carry);

  const std::string id_;
  const TaskCall call_;
  const Lifetime lifetime_;
  const std::function<void()> changed_;
  std::stop_source stop_;

  mutable std::mutex mutex_;  // of what follows
  mutable std::condition_variable_any moved_;
  TaskState state_;
  bool asking_ = false;
  boost::json::object responses_;  // for the next run, by the Service's keys
  std::optional<boost::json::object> carried_;
  std::map<std::string, std::string, std::less<>> asked_;  // the Service's keys by ours
  std::set<std::string> used_;                             // of ours
};

}  // namespace cordon::mcp
