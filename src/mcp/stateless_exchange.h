// One request of the stateless era.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "mcp/exchange.h"
#include "mcp/reply_stream.h"
#include "mcp/request_notices.h"

namespace cordon::mcp {

class StatelessExchange : public Exchange {
 public:
  // `carried`: opened already. Both objects outlive this one.
  StatelessExchange(const Client& client, const boost::json::object& params,
                    std::optional<boost::json::object> carried, std::stop_token stop,
                    std::shared_ptr<ReplyStream> stream);

  const Client& client() const override { return client_; }
  std::stop_token stop() const override { return stop_; }
  const std::shared_ptr<void>& attachment() const override;
  void Progress(double done, std::optional<double> total, std::string_view message) override;
  void Log(LogLevel level, std::string_view logger, const boost::json::value& data) override;
  tl::expected<boost::json::object, AskFailure> Ask(std::string_view key, std::string_view method,
                                                    const boost::json::object& params,
                                                    std::chrono::milliseconds patience) override;
  void Carry(boost::json::object state) override { carry_ = std::move(state); }
  const boost::json::object* carried() const override { return carried_ ? &*carried_ : nullptr; }

  // What is still to be asked, by key; empty: nothing.
  const boost::json::object& pending() const { return pending_; }
  const boost::json::object& carry() const { return carry_; }

 private:
  const Client& client_;
  const boost::json::object* responses_;  // null: none came
  std::optional<boost::json::object> carried_;
  std::stop_token stop_;
  RequestNotices notices_;
  boost::json::object pending_;
  boost::json::object carry_;
};

// Whether the reply to a method may be a question.
bool MayAsk(std::string_view method);

}  // namespace cordon::mcp
