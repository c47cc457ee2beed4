// One request of a client of the handshake era.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <memory>
#include <stop_token>
#include <utility>

#include "mcp/answer_memory.h"
#include "mcp/exchange.h"
#include "mcp/reply_stream.h"
#include "mcp/request_notices.h"
#include "mcp/session_state.h"

namespace cordon::mcp {

class SessionExchange : public Exchange {
 public:
  SessionExchange(std::shared_ptr<SessionState> session, const boost::json::object& params,
                  std::stop_token stop, std::shared_ptr<ReplyStream> stream,
                  const std::optional<Principal>& who = std::nullopt);

  const Client& client() const override;
  std::stop_token stop() const override;
  const std::shared_ptr<void>& attachment() const override;
  bool SendAfter(const std::shared_ptr<Precondition>& condition) override;
  boost::json::storage_ptr memory() override { return memory_.storage(); }
  // When the answer's text is made: what it was made of is not needed any more.
  void DropAnswer();
  // Null: the answer can be sent as it is.
  std::shared_ptr<Precondition> TakeCondition() { return std::move(condition_); }
  void Progress(double done, std::optional<double> total, std::string_view message) override;
  void Log(LogLevel level, std::string_view logger, const boost::json::value& data) override;
  tl::expected<boost::json::object, AskFailure> Ask(std::string_view key, std::string_view method,
                                                    const boost::json::object& params,
                                                    std::chrono::milliseconds patience) override;
  void Carry(boost::json::object state) override;
  const boost::json::object* carried() const override;

 private:
  std::shared_ptr<SessionState> session_;
  std::stop_token stop_;
  std::shared_ptr<ReplyStream> stream_;
  RequestNotices notices_;
  std::shared_ptr<Precondition> condition_;
  std::optional<Client> client_;  // where it differs from the session's
  AnswerMemory memory_;
};

}  // namespace cordon::mcp
