// Calls that cannot be answered yet: one end of a FIFO waits for the other, a connection for
// its peer, an access outside for a person.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "platform/act_for_process.h"
#include "platform/syscall_listener.h"
#include "platform/unique_fd.h"
#include "platform/wake_up.h"

namespace cordon::warden {

// Guarantees: never blocks; a process that has gone is forgotten at the next Retry.
class Waiting {
 public:
  Waiting(const platform::SyscallListener& listener, const platform::ActForProcess& acts,
          platform::WakeUp& wake_up)
      : listener_(listener), acts_(acts), wake_up_(wake_up) {}

  // `reader`: opened already, and waiting for a writer; invalid: a writer that waits.
  // False: too many wait.
  bool AddFifo(std::uint64_t id, platform::UniqueFd object, platform::UniqueFd reader,
               const platform::OpenWish& wish);
  // `object`: the local socket that has no room yet; invalid: the connection is under way.
  bool AddConnect(std::uint64_t id, platform::UniqueFd socket, platform::UniqueFd object);
  // What a yes brings: the descriptor, kept or closed on exec; instead of it a file cut to
  // `size`; or that it was done.
  struct Question {
    enum class Yes { kGiveToKeep, kGiveToClose, kCut, kDone } yes = Yes::kGiveToKeep;
    std::int64_t size = 0;
  };
  bool AddQuestion(std::uint64_t id, const Question& question);
  // Answers what can be answered now.
  void Retry();
  bool HasSome() const { return !fifos_.empty() || !connects_.empty(); }
  // `os_errno`: it fails with that; so it does if a descriptor is missing. Ids that do not
  // wait are ignored.
  void Answered(std::uint64_t id, const platform::UniqueFd& granted, int os_errno);

 private:
  struct Fifo {
    std::uint64_t id = 0;
    platform::UniqueFd object, reader;
    platform::OpenWish wish;
  };
  struct Connect {
    std::uint64_t id = 0;
    platform::UniqueFd socket, object;
  };
  bool Settle(Fifo& fifo);
  bool Settle(const Connect& connect);
  bool HasRoom();
  void Grant(std::uint64_t id, const Question& question, const platform::UniqueFd& granted);

  const platform::SyscallListener& listener_;
  const platform::ActForProcess& acts_;
  platform::WakeUp& wake_up_;
  std::vector<Fifo> fifos_;
  std::vector<Connect> connects_;
  std::unordered_map<std::uint64_t, Question> questions_;
};

}  // namespace cordon::warden
