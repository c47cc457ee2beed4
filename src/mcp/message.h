// One JSON-RPC message.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mcp/rpc_error.h"

namespace cordon::mcp {

// What a request is called by who sent it: a string, not a long one, or a whole number.
// 1 and "1" differ.
class Id {
  using Value = std::variant<std::int64_t, std::uint64_t, std::string>;

 public:
  explicit Id(std::string text) : value_(std::move(text)) {}
  explicit Id(std::int64_t number) : value_(number) {}
  explicit Id(std::uint64_t number) : value_(number) {}
  // Nothing if it is neither.
  static std::optional<Id> Of(const boost::json::value& value);

  boost::json::value AsJson() const;
  std::size_t Hash() const { return std::hash<Value>()(value_); }
  // NOLINTNEXTLINE(modernize-use-nullptr): the checker misreads a comparison by default
  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  Value value_;
};

struct Request {
  Id id;
  std::string method;
  boost::json::object params;  // empty if there were none
};
struct Notification {
  std::string method;
  boost::json::object params;
};
// To a request of ours.
struct Response {
  Id id;
  Answered<boost::json::object> result;
};
// Not a message; what to tell the sender, and of which request if that could be read.
struct Malformed {
  RpcError error;
  std::optional<Id> id;
};
using Message = std::variant<Request, Notification, Response, Malformed>;

inline constexpr std::size_t kMaxDepth = 64;

// Takes any bytes; gives kParseError for what is no UTF-8 JSON, nested deeper than kMaxDepth
// or of far more values than its size is worth, kInvalidRequest for what is JSON but no
// message, arrays included. Doubled names in an object: the last one counts.
Message ParseMessage(std::string_view bytes);

// Several in an array, as only 2025-03-26 has it; nothing if it is no array, or an empty
// or very long one.
std::optional<std::vector<Message>> ParseBatch(std::string_view bytes);

// What goes out: one line, no line break at its end.
std::string ResultText(const Id& id, const boost::json::object& result);
void AppendResult(std::string& text, const Id& id, const boost::json::object& result);  // the same
std::string ErrorText(const std::optional<Id>& id, const RpcError& error);
std::string NotificationText(std::string_view method, const boost::json::object& params);
std::string RequestText(const Id& id, std::string_view method, const boost::json::object& params);

}  // namespace cordon::mcp
