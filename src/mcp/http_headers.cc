#include "mcp/http_headers.h"

#include <charconv>
#include <cstdint>

#include "base/base64.h"
#include "base/unicode.h"
#include "mcp/request_notices.h"
#include "net/ascii.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

RpcError Mismatch(std::string_view header) {
  std::string message = "the header ";
  message += header;
  message += " does not say what the message says";
  return {RpcCode::kHeaderMismatch, std::move(message)};
}

// Of which parameter Mcp-Name is a copy; "" for none.
std::string_view NamedBy(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return "taskId";
  return "";
}

std::optional<std::string> TextOf(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

// Both, or neither, and then the same.
bool Agrees(const net::HttpFields& fields, std::string_view header,
            const std::optional<std::string>& said) {
  if (fields.Count(header) > 1) return false;
  const std::optional<std::string_view> sent = fields.Find(header);
  if (!sent || !said) return !sent && !said;
  return DecodeHeader(*sent) == said;
}

bool SameInteger(std::string_view sent, const json::value& said) {
  std::int64_t number = 0;
  const char* const end = sent.data() + sent.size();
  const auto [stopped, failed] = std::from_chars(sent.data(), end, number);
  if (failed != std::errc() || stopped != end) return false;
  boost::system::error_code inexact;
  const auto value = said.to_number<std::int64_t>(inexact);
  return !inexact && value == number;
}

bool SameValue(std::string_view sent, const json::value& said) {
  const std::optional<std::string> text = DecodeHeader(sent);
  if (!text) return false;
  if (said.is_string()) return *text == std::string_view(said.get_string());
  if (said.is_bool()) return *text == (said.get_bool() ? "true" : "false");
  return said.is_number() && SameInteger(*text, said);
}

// Properties within properties are marked, too; as deep as a message may be.
std::optional<RpcError> CheckProperties(const net::HttpFields& fields, const json::object& schema,
                                        const json::object* arguments, std::size_t depth) {
  const json::value* const properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object() || depth == 0) return std::nullopt;
  for (const auto& [name, property] : properties->get_object()) {
    if (!property.is_object()) continue;
    const json::value* said = arguments == nullptr ? nullptr : arguments->if_contains(name);
    if (said != nullptr && said->is_null()) said = nullptr;
    if (const auto marked = TextOf(property.get_object(), "x-mcp-header")) {
      const std::string header = "Mcp-Param-" + *marked;
      const auto sent = fields.Find(header);
      const bool same = fields.Count(header) <= 1 && sent.has_value() == (said != nullptr) &&
                        (said == nullptr || SameValue(*sent, *said));
      if (!same) return Mismatch(header);
    }
    const json::object* const inner = said != nullptr ? said->if_object() : nullptr;
    if (auto wrong = CheckProperties(fields, property.get_object(), inner, depth - 1)) return wrong;
  }
  return std::nullopt;
}

// Without its parameters.
std::string_view TypeOf(std::string_view value) {
  return net::TrimBlanks(value.substr(0, value.find(';')));
}

}  // namespace

std::optional<std::string> DecodeHeader(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?";
  constexpr std::string_view kEnd = "?=";
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) ||
      value.size() < kBegin.size() + kEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kBegin.size());
  value.remove_suffix(kEnd.size());
  std::optional<std::string> text = Base64Decode(value);
  if (text && !unicode::IsValidUtf8(*text)) return std::nullopt;
  return text;
}

std::optional<RpcError> CheckHeaders(const net::HttpFields& fields, const Request& request) {
  const json::object* const meta = MetaOf(request.params);
  const auto version = meta != nullptr ? TextOf(*meta, kVersionKey) : std::nullopt;
  // Without a version in the message something else is wrong with it.
  if (version && !Agrees(fields, "MCP-Protocol-Version", version)) {
    return Mismatch("MCP-Protocol-Version");
  }
  if (!Agrees(fields, "Mcp-Method", request.method)) return Mismatch("Mcp-Method");
  const std::string_view parameter = NamedBy(request.method);
  if (parameter.empty()) return std::nullopt;
  if (!Agrees(fields, "Mcp-Name", TextOf(request.params, parameter))) return Mismatch("Mcp-Name");
  return std::nullopt;
}

std::optional<RpcError> CheckParameterHeaders(const net::HttpFields& fields,
                                              const json::object& schema,
                                              const json::object& arguments) {
  return CheckProperties(fields, schema, &arguments, kMaxDepth);
}

bool Accepts(const net::HttpFields& fields, std::string_view type) {
  bool any = false;
  const std::string whole_kind = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const auto& [name, value] : fields.all()) {
    if (!net::SameIgnoringCase(name, "Accept")) continue;
    any = true;
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view one = TypeOf(rest.substr(0, comma));
      if (one == "*/*" || net::SameIgnoringCase(one, type) ||
          net::SameIgnoringCase(one, whole_kind)) {
        return true;
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return !any;
}

bool IsJson(const net::HttpFields& fields) {
  const auto type = fields.Find("Content-Type");
  return type && fields.Count("Content-Type") == 1 &&
         net::SameIgnoringCase(TypeOf(*type), "application/json");
}

}  // namespace cordon::mcp
