#include "tests/mcp_tools/fake_exchange.h"

namespace cordon::testing {

namespace json = boost::json;

json::object Accepted(std::string_view decision) {
  return {{"action", "accept"}, {"content", json::object{{"decision", decision}}}};
}

json::object Said(std::string_view action) { return {{"action", action}}; }

FakeExchange::FakeExchange() {
  client_.capabilities["elicitation"] = json::object();
  client_.name = "test client";
}

void FakeExchange::Progress(double, std::optional<double>, std::string_view) {}

ClientAnswer WaitingExchange::Ask(std::string_view /*key*/, std::string_view method,
                                  const json::object& params, std::chrono::milliseconds wait) {
  asked.push_back(params);
  methods.emplace_back(method);
  patience = wait;
  return reply_(method, params);
}

RoundExchange RoundExchange::Next(const json::object& answer) const {
  RoundExchange next;
  next.client_ = client_;
  next.carried_ = carry_;
  for (const auto& question : pending) next.responses[question.key()] = answer;
  return next;
}

ClientAnswer RoundExchange::Ask(std::string_view key, std::string_view method,
                                const json::object& params, std::chrono::milliseconds /*wait*/) {
  if (const json::value* const given = responses.if_contains(key)) return given->as_object();
  asked.push_back(params);
  methods.emplace_back(method);
  pending[key] = params;
  return tl::make_unexpected(mcp::AskFailure::kPending);
}

}  // namespace cordon::testing
