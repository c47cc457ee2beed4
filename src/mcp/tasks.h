// The tasks of all clients of one server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/hub.h"
#include "mcp/service.h"
#include "mcp/task.h"
#include "net/worker_pool.h"

namespace cordon::mcp {

// Whether a Service offers tasks, and a client of the stateless era takes them.
bool OffersTasks(const Description& description);
bool TakesTasks(const Client& client);
// That it does not.
RpcError NeedsTasks();

// Guarantees: a task is found only by its owner, and by nobody who may do less than who began
//   it. Whoever is not given one because there are too many can have the call made at once.
//   A task is there as long as it says.
// Thread safety: everything may run concurrently.
class Tasks {
 public:
  struct Limits {
    std::size_t kept = 128;
    std::size_t kept_each = 32;  // of one owner
    std::size_t running = 32;    // each has a thread
    std::size_t running_each = 8;
    Task::Lifetime lifetime = {};
  };
  // Both outlive it.
  Tasks(Service& service, Hub& hub) : Tasks(service, hub, Limits()) {}
  Tasks(Service& service, Hub& hub, Limits limits);
  ~Tasks() { Close(); }
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  // Who may have tasks of their own: each party, and each session.
  using Owner = std::string;
  static Owner OwnerOf(const Principal& principal) { return "party " + principal.id; }
  Owner NewOwner();

  // Null: there is no room.
  std::shared_ptr<Task> Start(const Owner& owner, TaskCall call);
  // Null: there is none for them.
  std::shared_ptr<Task> Find(const Owner& owner, const Principal& who, std::string_view id);
  // The oldest first.
  std::vector<std::shared_ptr<Task>> Of(const Owner& owner, const Principal& who);
  void Answer(const Owner& owner, const std::shared_ptr<Task>& task,
              const boost::json::object& responses);

  // Cancels it; nobody will ask for it.
  void Forget(const Task& task);
  void ForgetAllOf(const Owner& owner);
  // Cancels all, and takes no others.
  void Close();

 private:
  struct Entry {
    Owner owner;
    std::uint64_t number = 0;
    std::shared_ptr<Task> task;
  };
  struct Leaving;
  // With the mutex held.
  template <typename Which>
  void Drop(Leaving& leaving, const Which& which);
  void DropOld(Leaving& leaving);
  bool HasRoomFor(const Owner& owner) const;
  bool Submit(const Owner& owner, const std::shared_ptr<Task>& task);

  Service& service_;
  Hub& hub_;
  const Limits limits_;
  std::mutex mutex_;
  bool closed_ = false;
  std::uint64_t last_ = 0;
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<Owner, std::size_t> running_;
  std::size_t all_running_ = 0;
  net::WorkerPool pool_;  // goes first, and waits for what runs
};

}  // namespace cordon::mcp
