// Questions that wait for a person who answers over HTTP.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consent/channel.h"
#include "store/records.h"

namespace cordon::serve {

// Guarantees: a question is told to its sandbox's owner and answered by them, nobody else.
// Thread safety: every method may run concurrently.
class ApprovalBoard : public std::enable_shared_from_this<ApprovalBoard> {
 public:
  explicit ApprovalBoard(std::function<store::Time()> now) : now_(std::move(now)) {}

  struct Pending {
    std::string user, sandbox;
    store::Time asked = 0;
    store::Time expires = 0;  // then it is denied
    consent::Question question;
  };

  // The way to the owner, for the desk of one sandbox.
  std::shared_ptr<consent::Channel> ChannelFor(std::string user, std::string sandbox);

  std::vector<Pending> List(std::string_view user) const;
  // What became of a question; kept of the last few.
  struct Settled {
    std::string id, user, sandbox;
    enum class How { kAnswered, kTimeout, kWithdrawn } how = How::kAnswered;
    consent::Choice choice = consent::Choice::kDeny;  // of one that was answered
  };
  std::optional<Settled> FindSettled(std::string_view user, std::string_view id) const;

  // kTooLate: somebody was faster, or it is over for another reason; FindSettled tells.
  enum class Outcome { kTaken, kNotFound, kNotOffered, kTooLate };
  Outcome Answer(std::string_view user, std::string_view id, consent::Choice choice);

  // Counts changes; waits for the next one after `seen`, so long at most.
  std::uint64_t WaitForChange(std::uint64_t seen, std::chrono::milliseconds patience) const;
  // All questions are denied, and no more are taken; who waits goes on.
  void Close();
  bool closed() const;

 private:
  friend class BoardChannel;
  struct Entry {
    Pending pending;
    std::optional<consent::Choice> answer;
  };
  Result<consent::Choice> Ask(Pending pending, consent::Deadline deadline,
                              const std::stop_token& stop);

  void Settle(const Entry& entry, Settled::How how);
  const Settled* SettledUnlocked(std::string_view user, std::string_view id) const;

  const std::function<store::Time()> now_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::list<Entry> entries_;
  std::deque<Settled> settled_;  // oldest first
  std::uint64_t changes_ = 0;
  bool closed_ = false;
};

}  // namespace cordon::serve
