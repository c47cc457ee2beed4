// What of all replies waits to be sent, and who makes room when it is too much.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace cordon::net {

class ReplyChannel;

// Guarantees: what clients do not read keeps no one else's reply from being sent for long: the
//   reply that is read most slowly, and has been for a while, is cut off for another one.
// Thread safety: everything may run concurrently; MakeRoom not with a reply's lock held.
class Unsent {
 public:
  explicit Unsent(std::size_t limit) : limit_(limit) {}

  // False, and nothing was counted: there is no room for so many bytes.
  bool Add(std::size_t bytes);
  void Remove(std::size_t bytes) { bytes_ -= bytes; }
  // Cuts off who reads slowly until so many bytes fit; it may be that nobody does.
  void MakeRoom(std::size_t bytes);

  // Of those that count for something.
  void Enter(const std::shared_ptr<ReplyChannel>& reply);
  void Leave(const ReplyChannel* reply);

  // Threads that wait until a client has read: so many may, no more.
  bool BeginWaiting();
  void EndWaiting() { --waiting_; }

 private:
  std::shared_ptr<ReplyChannel> Slowest();

  const std::size_t limit_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> waiting_{0};
  std::mutex mutex_;
  std::map<const ReplyChannel*, std::weak_ptr<ReplyChannel>> replies_;
};

}  // namespace cordon::net
