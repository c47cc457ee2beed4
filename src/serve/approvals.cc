#include "serve/approvals.h"

#include <algorithm>
#include <utility>

namespace cordon::serve {
namespace {

using consent::Choice;

Error NotAnswered(ErrorCode code, std::string_view rule, std::string detail) {
  Error error;
  error.code = code;
  error.op = "ask over HTTP";
  error.rule = rule;
  error.detail = std::move(detail);
  return error;
}

store::Time MillisecondsUntil(consent::Deadline deadline) {
  const auto left = deadline - consent::Deadline::clock::now();
  return std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
}

constexpr std::size_t kMostSettled = 256;

}  // namespace

class BoardChannel final : public consent::Channel {
 public:
  BoardChannel(std::shared_ptr<ApprovalBoard> board, std::string user, std::string sandbox)
      : board_(std::move(board)), user_(std::move(user)), sandbox_(std::move(sandbox)) {}

  std::string_view name() const override { return "http"; }
  bool available() const override { return !board_->closed(); }
  Result<Choice> Ask(const consent::Question& question, consent::Deadline deadline,
                     const std::stop_token& stop) override {
    return board_->Ask({user_, sandbox_, 0, 0, question}, deadline, stop);
  }

 private:
  const std::shared_ptr<ApprovalBoard> board_;
  const std::string user_, sandbox_;
};

std::shared_ptr<consent::Channel> ApprovalBoard::ChannelFor(std::string user, std::string sandbox) {
  return std::make_shared<BoardChannel>(shared_from_this(), std::move(user), std::move(sandbox));
}

Result<Choice> ApprovalBoard::Ask(Pending pending, consent::Deadline deadline,
                                  const std::stop_token& stop) {
  pending.asked = now_();
  pending.expires = pending.asked + MillisecondsUntil(deadline);
  std::unique_lock lock(mutex_);
  if (closed_) {
    return NotAnswered(ErrorCode::kConsentUnavailable, "closed", "the server is ending");
  }
  const auto entry = entries_.insert(entries_.end(), {std::move(pending), std::nullopt});
  ++changes_;
  changed_.notify_all();
  changed_.wait_until(lock, stop, deadline, [&] { return entry->answer || closed_; });
  const std::optional<Choice> answer = entry->answer;
  if (!answer) {
    const bool in_time = stop.stop_requested() || closed_;
    Settle(*entry, in_time ? Settled::How::kWithdrawn : Settled::How::kTimeout);
  }
  entries_.erase(entry);
  ++changes_;
  changed_.notify_all();
  if (answer) return *answer;
  if (stop.stop_requested()) {
    return NotAnswered(ErrorCode::kConsentDenied, "withdrawn", "the question was withdrawn");
  }
  if (closed_) {
    return NotAnswered(ErrorCode::kConsentUnavailable, "closed", "the server is ending");
  }
  return NotAnswered(ErrorCode::kTimeout, "timeout", "nobody answered in time");
}

std::vector<ApprovalBoard::Pending> ApprovalBoard::List(std::string_view user) const {
  const std::lock_guard lock(mutex_);
  std::vector<Pending> all;
  for (const Entry& one : entries_) {
    if (one.pending.user == user && !one.answer) all.push_back(one.pending);
  }
  return all;
}

ApprovalBoard::Outcome ApprovalBoard::Answer(std::string_view user, std::string_view id,
                                             Choice choice) {
  const std::lock_guard lock(mutex_);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) {
    return one.pending.user == user && one.pending.question.id == id && !one.answer;
  });
  if (entry == entries_.end()) {
    return SettledUnlocked(user, id) != nullptr ? Outcome::kTooLate : Outcome::kNotFound;
  }
  if (!entry->pending.question.Offers(choice)) return Outcome::kNotOffered;
  entry->answer = choice;
  Settle(*entry, Settled::How::kAnswered);
  ++changes_;
  changed_.notify_all();
  return Outcome::kTaken;
}

void ApprovalBoard::Settle(const Entry& entry, Settled::How how) {
  if (settled_.size() >= kMostSettled) settled_.pop_front();
  settled_.push_back({entry.pending.question.id, entry.pending.user, entry.pending.sandbox, how,
                      entry.answer.value_or(Choice::kDeny)});
}

const ApprovalBoard::Settled* ApprovalBoard::SettledUnlocked(std::string_view user,
                                                             std::string_view id) const {
  const auto found = std::find_if(settled_.begin(), settled_.end(), [&](const Settled& one) {
    return one.user == user && one.id == id;
  });
  return found == settled_.end() ? nullptr : &*found;
}

std::optional<ApprovalBoard::Settled> ApprovalBoard::FindSettled(std::string_view user,
                                                                 std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Settled* const found = SettledUnlocked(user, id);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::uint64_t ApprovalBoard::WaitForChange(std::uint64_t seen,
                                           std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return changes_ != seen || closed_; });
  return changes_;
}

void ApprovalBoard::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool ApprovalBoard::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

}  // namespace cordon::serve
