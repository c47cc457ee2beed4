#include "mcp/message.h"

#include <algorithm>
#include <array>
#include <boost/json/parser.hpp>
#include <new>
#include <utility>

#include "mcp/json_text.h"
#include "mcp/message_memory.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxBatch = 100;
constexpr std::size_t kMaxId = 1024;

Malformed Invalid(std::string message, std::optional<Id> id = std::nullopt) {
  return {{RpcCode::kInvalidRequest, std::move(message)}, std::move(id)};
}

// The error of a peer's response, as far as it can be understood.
RpcError ErrorOf(const json::value& value) {
  RpcError error;
  if (!value.is_object()) return error;
  const json::object& object = value.as_object();
  if (const json::value* const code = object.if_contains("code"); code && code->is_int64()) {
    error.code = static_cast<RpcCode>(static_cast<int>(code->as_int64()));
  }
  if (const json::value* const text = object.if_contains("message"); text && text->is_string()) {
    error.message = text->as_string();
  }
  return error;
}

Message ResponseOf(json::object& object, Id id) {
  json::value* const result = object.if_contains("result");
  json::value* const error = object.if_contains("error");
  if (result != nullptr && error != nullptr) {
    return Invalid("a response has a result or an error, not both", std::move(id));
  }
  if (error != nullptr) return Response{std::move(id), tl::make_unexpected(ErrorOf(*error))};
  if (result == nullptr || !result->is_object())
    return Invalid("a result must be an object", std::move(id));
  return Response{std::move(id), std::move(result->as_object())};
}

Message MessageOf(json::object& object) {
  std::optional<Id> id;
  const json::value* const given = object.if_contains("id");
  if (given != nullptr) {
    id = Id::Of(*given);
    if (!id) return Invalid("an id is a whole number, or a string of at most 1024 bytes");
  }
  const json::value* const version = object.if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->as_string() != "2.0") {
    return Invalid("\"jsonrpc\" must be \"2.0\"", std::move(id));
  }
  json::value* const method = object.if_contains("method");
  if (method == nullptr) {
    if (object.contains("result") || object.contains("error")) {
      if (!id) return Invalid("a response needs the id of its request");
      return ResponseOf(object, std::move(*id));
    }
    return Invalid("\"method\" is missing", std::move(id));
  }
  if (!method->is_string()) return Invalid("\"method\" must be a string", std::move(id));
  json::value* const given_params = object.if_contains("params");
  if (given_params != nullptr && !given_params->is_object()) {
    return Invalid("\"params\" must be an object", std::move(id));
  }
  // Moved, not copied: it keeps the message's memory.
  json::object params = given_params == nullptr ? json::object(object.storage())
                                                : std::move(given_params->get_object());
  std::string name(method->as_string());
  if (!id) return Notification{std::move(name), std::move(params)};
  return Request{std::move(*id), std::move(name), std::move(params)};
}

Answered<json::value> Parse(std::string_view bytes) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code failed;
  try {
    ParserMemory memory(bytes);
    json::parser parser(memory.storage(), options, memory.room(), memory.room_size());
    parser.reset(MessageMemory(bytes.size()));
    parser.write(bytes.data(), bytes.size(), failed);
    if (!failed) return parser.release();
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(RpcError{RpcCode::kParseError, "too many values for its size"});
  }
  return tl::make_unexpected(
      RpcError{RpcCode::kParseError, "not a JSON message: " + failed.message()});
}

// About how long its text is: a long one must not be copied while it grows.
std::size_t TextSize(const json::value& value) {
  constexpr std::size_t kPlain = 8;
  std::size_t size = kPlain;
  if (const json::string* const text = value.if_string()) size += text->size();
  if (const json::array* const items = value.if_array()) {
    for (const json::value& item : *items) size += TextSize(item);
  }
  if (const json::object* const object = value.if_object()) {
    for (const auto& [key, item] : *object) size += key.size() + TextSize(item);
  }
  return size;
}

void AppendObject(std::string& text, const json::object& object) {
  constexpr std::size_t kLong = std::size_t{16} << 10;
  std::size_t size = 0;
  for (const auto& [key, item] : object) size += key.size() + TextSize(item);
  if (size > kLong) text.reserve(text.size() + size + size / 16);
  AppendJson(text, object);
}

void AppendHead(std::string& text, const std::optional<Id>& id) {
  text += R"({"jsonrpc":"2.0",)";
  if (!id) return;
  text += R"("id":)";
  AppendJson(text, id->AsJson());
  text += ',';
}

}  // namespace

std::optional<Id> Id::Of(const json::value& value) {
  if (const std::int64_t* const number = value.if_int64()) return Id(*number);
  if (const std::uint64_t* const number = value.if_uint64()) return Id(*number);
  // It is kept, and comes back in every answer.
  const json::string* const text = value.if_string();
  if (text != nullptr && text->size() <= kMaxId) return Id(std::string(*text));
  return std::nullopt;
}

json::value Id::AsJson() const {
  return std::visit([](const auto& value) { return json::value(value); }, value_);
}

Message ParseMessage(std::string_view bytes) {
  Answered<json::value> value = Parse(bytes);
  if (!value) return Malformed{std::move(value.error()), {}};
  if (value->is_array()) return Invalid("batches are not part of this protocol revision");
  if (!value->is_object()) return Invalid("a message is an object");
  return MessageOf(value->get_object());
}

std::optional<std::vector<Message>> ParseBatch(std::string_view bytes) {
  Answered<json::value> value = Parse(bytes);
  if (!value || !value->is_array()) return std::nullopt;
  json::array& items = value->get_array();
  if (items.empty() || items.size() > kMaxBatch) return std::nullopt;
  std::vector<Message> messages;
  messages.reserve(items.size());
  for (json::value& item : items) {
    messages.push_back(item.is_object() ? MessageOf(item.get_object())
                                        : Message(Invalid("a message is an object")));
  }
  return messages;
}

void AppendResult(std::string& text, const Id& id, const json::object& result) {
  AppendHead(text, id);
  text += R"("result":)";
  AppendObject(text, result);
  text += '}';
}

std::string ResultText(const Id& id, const json::object& result) {
  std::string text;
  AppendResult(text, id, result);
  return text;
}

std::string ErrorText(const std::optional<Id>& id, const RpcError& error) {
  std::string text;
  AppendHead(text, id);
  text += R"("error":)";
  AppendJson(text, ErrorObject(error));
  text += '}';
  return text;
}

std::string NotificationText(std::string_view method, const json::object& params) {
  std::string text;
  AppendHead(text, std::nullopt);
  text += R"("method":)";
  AppendJson(text, method);
  text += R"(,"params":)";
  AppendObject(text, params);
  text += '}';
  return text;
}

std::string RequestText(const Id& id, std::string_view method, const json::object& params) {
  std::string text;
  AppendHead(text, id);
  text += R"("method":)";
  AppendJson(text, method);
  text += R"(,"params":)";
  AppendObject(text, params);
  text += '}';
  return text;
}

}  // namespace cordon::mcp
