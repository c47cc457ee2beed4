// Sandboxes made ahead, so that they can be handed out at once.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "provision/common.h"
#include "provision/endings.h"
#include "provision/making.h"

namespace cordon::provision {

// Guarantees: one is made at a time, and none while the machine is short of memory; after a
//   failure the pool waits, each time longer.
// Thread safety: all methods may run concurrently.
class Pool {
 public:
  using FreeMemory = std::function<std::uint64_t()>;
  Pool(Common& common, Endings& endings, Making& making, FreeMemory free_memory);
  ~Pool();  // ends the thread
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void Start();
  // One was taken.
  void Wake();
  // Whether a wish of this key could be served.
  bool Serves(std::string_view key) const;

 private:
  struct Shelf {
    Wish wish;
    std::string key;
    std::size_t size = 0;
    store::Time not_before = 0;
    std::chrono::milliseconds setback{0};
  };
  void Run();
  // Ends what earlier settings have made and these do not ask for.
  void EndSurplus();
  void Fill(Shelf& shelf);
  bool HasMeans(const Shelf& shelf) const;
  Status MakeOne(const Shelf& shelf);
  Result<std::vector<store::Sandbox>> Waiting() const;
  bool Stopped() const;

  Common& common_;
  Endings& endings_;
  Making& making_;
  const FreeMemory free_memory_;
  std::vector<Shelf> shelves_;  // only the thread changes them
  mutable std::mutex mutex_;
  std::condition_variable wanted_;
  bool stop_ = false, woken_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace cordon::provision
