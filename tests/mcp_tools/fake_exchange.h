// A client made of code, of either era.
#pragma once

#include <boost/json/object.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/exchange.h"

namespace cordon::testing {

using ClientAnswer = tl::expected<boost::json::object, mcp::AskFailure>;

// A form that was filled in, or not.
boost::json::object Accepted(std::string_view decision);
boost::json::object Said(std::string_view action);

// What all have in common.
class FakeExchange : public mcp::Exchange {
 public:
  FakeExchange();

  const mcp::Client& client() const override { return client_; }
  std::stop_token stop() const override { return {}; }
  const std::shared_ptr<void>& attachment() const override { return attachment_; }
  void Progress(double done, std::optional<double> total, std::string_view message) override;
  void Log(mcp::LogLevel, std::string_view, const boost::json::value&) override {}
  void Carry(boost::json::object state) override { carry_ = std::move(state); }
  const boost::json::object* carried() const override { return carried_ ? &*carried_ : nullptr; }

  mcp::Client client_;
  std::shared_ptr<void> attachment_;
  std::vector<boost::json::object> asked;  // the params of every question
  std::vector<std::string> methods;
  std::optional<boost::json::object> carry_, carried_;
};

// Handshake era: answers while the call waits.
class WaitingExchange final : public FakeExchange {
 public:
  using Reply =
      std::function<ClientAnswer(std::string_view method, const boost::json::object& params)>;
  explicit WaitingExchange(Reply reply) : reply_(std::move(reply)) {}
  ClientAnswer Ask(std::string_view key, std::string_view method, const boost::json::object& params,
                   std::chrono::milliseconds patience) override;

  std::chrono::milliseconds patience{0};

 private:
  Reply reply_;
};

// Stateless era: one of several rounds.
class RoundExchange final : public FakeExchange {
 public:
  RoundExchange() { client_.revision = mcp::kNewest; }
  // The next round: what this one carries, and an answer to each of its questions.
  RoundExchange Next(const boost::json::object& answer) const;
  ClientAnswer Ask(std::string_view key, std::string_view method, const boost::json::object& params,
                   std::chrono::milliseconds patience) override;

  boost::json::object pending, responses;  // by key
};

}  // namespace cordon::testing
