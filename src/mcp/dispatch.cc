#include "mcp/dispatch.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

constexpr std::size_t kMaxCompletions = 100;
constexpr std::size_t kMostInResult = 4;  // of a tool's call, with what is added for an era

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::make_unexpected(InvalidParams(std::move(message)));
}

Answered<std::string> TextOf(const json::object& params, std::string_view name) {
  const json::value* const value = params.if_contains(name);
  if (value == nullptr || !value->is_string()) {
    return Invalid("\"" + std::string(name) + "\" must be given, as a string");
  }
  return std::string(value->as_string());
}

// Empty when absent.
Answered<json::object> ObjectOf(const json::object& params, std::string_view name) {
  const json::value* const value = params.if_contains(name);
  if (value == nullptr) return json::object();
  if (!value->is_object()) return Invalid("\"" + std::string(name) + "\" must be an object");
  return value->as_object();
}

Answered<Service::Cursor> CursorOf(const json::object& params) {
  const json::value* const value = params.if_contains("cursor");
  if (value == nullptr) return Service::Cursor();
  if (!value->is_string()) return Invalid("\"cursor\" must be a string");
  return Service::Cursor(std::string(value->as_string()));
}

using List = Answered<Page> (Service::*)(Exchange&, const Service::Cursor&);

template <List list>
Reply Listed(Service& service, Exchange& exchange, const json::object& params,
             std::string_view under) {
  const Answered<Service::Cursor> cursor = CursorOf(params);
  if (!cursor) return tl::make_unexpected(cursor.error());
  Answered<Page> page = (service.*list)(exchange, *cursor);
  if (!page) return tl::make_unexpected(std::move(page.error()));
  json::object result;
  result[under] = std::move(page->items);
  if (page->next) result["nextCursor"] = *page->next;
  return result;
}

Reply ToolsList(Service& service, Exchange& exchange, const json::object& params) {
  return Listed<&Service::ListTools>(service, exchange, params, "tools");
}
Reply ResourcesList(Service& service, Exchange& exchange, const json::object& params) {
  return Listed<&Service::ListResources>(service, exchange, params, "resources");
}
Reply TemplatesList(Service& service, Exchange& exchange, const json::object& params) {
  return Listed<&Service::ListResourceTemplates>(service, exchange, params, "resourceTemplates");
}
Reply PromptsList(Service& service, Exchange& exchange, const json::object& params) {
  return Listed<&Service::ListPrompts>(service, exchange, params, "prompts");
}

Reply ToolsCall(Service& service, Exchange& exchange, const json::object& params) {
  const Answered<std::string> name = TextOf(params, "name");
  if (!name) return tl::make_unexpected(name.error());
  static const json::object kNone;
  const json::value* const given = params.if_contains("arguments");
  if (given != nullptr && !given->is_object()) return Invalid("\"arguments\" must be an object");
  Answered<ToolResult> called =
      service.CallTool(exchange, *name, given == nullptr ? kNone : given->get_object());
  if (!called) return tl::make_unexpected(std::move(called.error()));
  json::object result(called->content.storage());
  result.reserve(kMostInResult);
  result["content"] = std::move(called->content);
  if (called->structured) result["structuredContent"] = std::move(*called->structured);
  if (called->ending == ToolResult::Ending::kError) result["isError"] = true;
  return result;
}

Reply ResourcesRead(Service& service, Exchange& exchange, const json::object& params) {
  const Answered<std::string> uri = TextOf(params, "uri");
  if (!uri) return tl::make_unexpected(uri.error());
  Answered<json::array> contents = service.ReadResource(exchange, *uri);
  if (!contents) return tl::make_unexpected(std::move(contents.error()));
  json::object result;
  result["contents"] = std::move(*contents);
  return result;
}

Reply PromptsGet(Service& service, Exchange& exchange, const json::object& params) {
  const Answered<std::string> name = TextOf(params, "name");
  if (!name) return tl::make_unexpected(name.error());
  const Answered<json::object> arguments = ObjectOf(params, "arguments");
  if (!arguments) return tl::make_unexpected(arguments.error());
  return service.GetPrompt(exchange, *name, *arguments);
}

Answered<CompletionRequest> CompletionOf(const json::object& params) {
  const Answered<json::object> reference = ObjectOf(params, "ref");
  if (!reference) return tl::make_unexpected(reference.error());
  const Answered<json::object> argument = ObjectOf(params, "argument");
  if (!argument) return tl::make_unexpected(argument.error());
  const Answered<std::string> type = TextOf(*reference, "type");
  if (!type) return tl::make_unexpected(type.error());
  CompletionRequest request;
  if (*type == "ref/resource") {
    request.of = CompletionRequest::Of::kResource;
  } else if (*type != "ref/prompt") {
    return Invalid("\"ref\" is of no known type");
  }
  const bool prompt = request.of == CompletionRequest::Of::kPrompt;
  Answered<std::string> named = TextOf(*reference, prompt ? "name" : "uri");
  if (!named) return tl::make_unexpected(named.error());
  Answered<std::string> name = TextOf(*argument, "name");
  if (!name) return tl::make_unexpected(name.error());
  Answered<std::string> value = TextOf(*argument, "value");
  if (!value) return tl::make_unexpected(value.error());
  request.reference = std::move(*named);
  request.argument = std::move(*name);
  request.value = std::move(*value);
  const Answered<json::object> context = ObjectOf(params, "context");
  if (!context) return tl::make_unexpected(context.error());
  Answered<json::object> others = ObjectOf(*context, "arguments");
  if (!others) return tl::make_unexpected(others.error());
  request.others = std::move(*others);
  return request;
}

Reply CompletionComplete(Service& service, Exchange& exchange, const json::object& params) {
  const Answered<CompletionRequest> request = CompletionOf(params);
  if (!request) return tl::make_unexpected(request.error());
  const Answered<Completions> found = service.Complete(exchange, *request);
  if (!found) return tl::make_unexpected(found.error());
  json::array values;
  for (const std::string& value : found->values) {
    if (values.size() == kMaxCompletions) break;
    values.emplace_back(value);
  }
  json::object completion;
  if (found->total) completion["total"] = *found->total;
  completion["hasMore"] =
      std::max<std::uint64_t>(found->total.value_or(0), found->values.size()) > values.size();
  completion["values"] = std::move(values);
  json::object result;
  result["completion"] = std::move(completion);
  return result;
}

struct Method {
  std::string_view name;
  std::string_view capability;
  Reply (*answer)(Service&, Exchange&, const json::object&);
};

constexpr std::array<Method, 8> kMethods = {{
    {"tools/call", "tools", &ToolsCall},
    {"tools/list", "tools", &ToolsList},
    {"resources/read", "resources", &ResourcesRead},
    {"resources/list", "resources", &ResourcesList},
    {"resources/templates/list", "resources", &TemplatesList},
    {"prompts/list", "prompts", &PromptsList},
    {"prompts/get", "prompts", &PromptsGet},
    {"completion/complete", "completions", &CompletionComplete},
}};

const Method* Find(const Description& description, std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name != name) continue;
    return description.capabilities.contains(method.capability) ? &method : nullptr;
  }
  return nullptr;
}

}  // namespace

bool Offers(const Description& description, std::string_view method) {
  return Find(description, method) != nullptr;
}

Reply Dispatch(Service& service, Exchange& exchange, std::string_view method,
               const json::object& params) {
  const Method* const found = Find(service.Describe(), method);
  if (found == nullptr) return tl::make_unexpected(MethodNotFound(method));
  try {
    return found->answer(service, exchange, params);
  } catch (const std::exception&) {  // e.g. no memory for what was asked
    return tl::make_unexpected(RpcError{RpcCode::kInternalError, "the server failed at this"});
  }
}

}  // namespace cordon::mcp
