#include "mcp/session_exchange.h"

#include <utility>

#include "mcp/questions.h"

namespace cordon::mcp {
namespace {

std::optional<LogLevel> ThresholdOf(SessionState& session) {
  const std::lock_guard lock(session.mutex);
  return session.threshold;
}

}  // namespace

SessionExchange::SessionExchange(std::shared_ptr<SessionState> session,
                                 const boost::json::object& params, std::stop_token stop,
                                 std::shared_ptr<ReplyStream> stream,
                                 const std::optional<Principal>& who)
    : session_(std::move(session)),
      stop_(std::move(stop)),
      stream_(std::move(stream)),
      notices_(params, ThresholdOf(*session_), stream_) {
  if (!who) return;
  client_ = session_->client;
  client_->principal = *who;
}

const Client& SessionExchange::client() const { return client_ ? *client_ : session_->client; }
std::stop_token SessionExchange::stop() const { return stop_; }
const std::shared_ptr<void>& SessionExchange::attachment() const { return session_->attachment; }

bool SessionExchange::SendAfter(const std::shared_ptr<Precondition>& condition) {
  if (condition_) return false;  // one is enough for all that there is
  condition_ = condition;
  return true;
}

void SessionExchange::DropAnswer() {
  TakeHeld().clear();
  memory_.GiveBack();
}

void SessionExchange::Progress(double done, std::optional<double> total, std::string_view message) {
  notices_.Progress(done, total, message);
}

void SessionExchange::Log(LogLevel level, std::string_view logger, const boost::json::value& data) {
  notices_.Log(level, logger, data);
}

tl::expected<boost::json::object, AskFailure> SessionExchange::Ask(
    std::string_view /*key*/, std::string_view method, const boost::json::object& params,
    std::chrono::milliseconds patience) {
  if (!CanBeAsked(session_->client, method)) return tl::make_unexpected(AskFailure::kIncapable);
  const auto place = session_->room->Enter({client().principal.id, session_.get()}, stop_);
  if (!place) return tl::make_unexpected(AskFailure::kRefused);
  auto answer = session_->asks.Ask(*stream_, method, params, patience, place->stop());
  // It had to make room for somebody else's question.
  const bool sent_away = place->stop().stop_requested() && !stop_.stop_requested();
  if (!answer && sent_away) return tl::make_unexpected(AskFailure::kRefused);
  return answer;
}

void SessionExchange::Carry(boost::json::object /*state*/) {}
const boost::json::object* SessionExchange::carried() const { return nullptr; }

}  // namespace cordon::mcp
