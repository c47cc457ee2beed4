#include "consent/desk.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <utility>

#include "consent/question_id.h"

namespace cordon::consent {
namespace {

Answer Denial(std::string_view channel, std::string failure) {
  return {Choice::kDeny, std::string(channel), std::move(failure)};
}

Answer Withdrawn(std::string_view channel) { return Denial(channel, "withdrawn"); }

// A question and everybody who waits for its answer. The first of them asks, in their
// own thread; if they leave, the next one does.
struct Ticket {
  Question question;
  std::deque<std::uint64_t> waiting;  // by number, first come first
  std::optional<Answer> answer;
};
using TicketPtr = std::shared_ptr<Ticket>;

Answer AnswerFrom(const Channel& channel, const Question& question, const Result<Choice>& result) {
  if (!result) {
    const Error& error = result.error();
    if (error.code == ErrorCode::kTimeout) return Denial(channel.name(), "timeout");
    return Denial(channel.name(),
                  error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail);
  }
  if (!question.Offers(*result)) {
    return Denial(channel.name(), "the answer was none of those offered");
  }
  return {*result, std::string(channel.name()), ""};
}

}  // namespace

struct Desk::State {
  std::vector<std::shared_ptr<Channel>> channels;
  std::chrono::milliseconds patience;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::uint64_t last_number = 0;
  std::list<TicketPtr> queue;  // the first is, or is about to be, before the person

  TicketPtr Join(Question&& question, std::uint64_t who);
  void Leave(const TicketPtr& ticket, std::uint64_t who);
  void Settle(const TicketPtr& ticket, const Answer& answer);
  // nullopt: withdrawn by `stop`.
  std::optional<Answer> Put(const Question& question,
                            const std::function<std::optional<Choice>()>& settled,
                            const std::stop_token& stop) const;
  std::optional<Answer> PutOnChannels(const Question& question, const std::stop_token& stop) const;
  // The same on the asker's own channel. Unset: it is not there, or gone.
  std::optional<Answer> PutOnOwn(Channel& own, Question& question,
                                 const std::function<std::optional<Choice>()>& settled,
                                 const std::stop_token& stop) const;
};

TicketPtr Desk::State::Join(Question&& question, std::uint64_t who) {
  const auto same = std::find_if(queue.begin(), queue.end(), [&](const TicketPtr& ticket) {
    return ticket->question.SameAs(question);
  });
  TicketPtr ticket = same != queue.end() ? *same : std::make_shared<Ticket>();
  ticket->waiting.push_back(who);
  if (same == queue.end()) {
    ticket->question = std::move(question);
    if (ticket->question.id.empty()) ticket->question.id = NewQuestionId();
    queue.push_back(ticket);
  }
  return ticket;
}

void Desk::State::Leave(const TicketPtr& ticket, std::uint64_t who) {
  std::erase(ticket->waiting, who);
  if (ticket->waiting.empty()) queue.remove(ticket);
  changed.notify_all();
}

void Desk::State::Settle(const TicketPtr& ticket, const Answer& answer) {
  ticket->answer = answer;
  queue.remove(ticket);
  changed.notify_all();
}

std::optional<Answer> Desk::State::PutOnChannels(const Question& question,
                                                 const std::stop_token& stop) const {
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  std::string failure = "no channel";
  for (const std::shared_ptr<Channel>& channel : channels) {
    if (stop.stop_requested()) return std::nullopt;
    if (!channel->available()) continue;
    const Result<Choice> result = channel->Ask(question, deadline, stop);
    if (!result && stop.stop_requested()) return std::nullopt;
    if (result || result.error().code != ErrorCode::kConsentUnavailable) {
      return AnswerFrom(*channel, question, result);
    }
    failure = "no channel: " + result.error().detail;
  }
  return Denial("none", failure);
}

std::optional<Answer> Desk::State::Put(const Question& question,
                                       const std::function<std::optional<Choice>()>& settled,
                                       const std::stop_token& stop) const {
  try {
    if (settled) {
      if (const std::optional<Choice> choice = settled()) return Answer{*choice, "earlier", ""};
    }
    return PutOnChannels(question, stop);
  } catch (...) {  // a library's, or the caller's own: never an agreement
    return Denial("none", "asking failed");
  }
}

std::optional<Answer> Desk::State::PutOnOwn(Channel& own, Question& question,
                                            const std::function<std::optional<Choice>()>& settled,
                                            const std::stop_token& stop) const {
  try {
    if (!own.available()) return std::nullopt;
    if (settled) {
      if (const std::optional<Choice> choice = settled()) return Answer{*choice, "earlier", ""};
    }
    if (stop.stop_requested()) return Withdrawn("none");
    if (question.id.empty()) question.id = NewQuestionId();
    const Result<Choice> result =
        own.Ask(question, std::chrono::steady_clock::now() + patience, stop);
    if (!result && stop.stop_requested()) return Withdrawn("none");
    if (!result && result.error().code == ErrorCode::kConsentUnavailable) return std::nullopt;
    return AnswerFrom(own, question, result);
  } catch (...) {
    return Denial("none", "asking failed");
  }
}

Desk::Desk(std::vector<std::shared_ptr<Channel>> channels, std::chrono::milliseconds patience)
    : state_(std::make_unique<State>()) {
  state_->channels = std::move(channels);
  state_->patience = patience;
}

Desk::~Desk() = default;

bool Desk::reachable() const {
  return std::any_of(state_->channels.begin(), state_->channels.end(),
                     [](const std::shared_ptr<Channel>& channel) { return channel->available(); });
}

Answer Desk::Ask(Question question, const std::function<std::optional<Choice>()>& settled,
                 const std::stop_token& stop, Channel* own) {
  State& state = *state_;
  if (own != nullptr) {
    if (auto answer = state.PutOnOwn(*own, question, settled, stop)) return *std::move(answer);
  }
  std::unique_lock lock(state.mutex);
  if (stop.stop_requested()) return Withdrawn("none");
  const std::uint64_t me = ++state.last_number;
  const TicketPtr ticket = state.Join(std::move(question), me);
  const bool woken = state.changed.wait(lock, stop, [&] {
    return ticket->answer || (state.queue.front() == ticket && ticket->waiting.front() == me);
  });
  if (ticket->answer) return *ticket->answer;
  if (!woken) {
    state.Leave(ticket, me);
    return Withdrawn("none");
  }
  lock.unlock();
  const std::optional<Answer> answer = state.Put(ticket->question, settled, stop);
  lock.lock();
  if (!answer) {
    state.Leave(ticket, me);
    return Withdrawn("none");
  }
  state.Settle(ticket, *answer);
  return *answer;
}

}  // namespace cordon::consent
