#include "mcp/fit_revision.h"

#include <boost/json/array.hpp>
#include <string>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

json::array* ArrayOf(json::object& object, std::string_view name) {
  json::value* const value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_array();
}

bool Knows(Revision revision, std::string_view content) {
  if (content == "resource_link") return revision >= Revision::k2025_06_18;
  if (content == "audio") return revision >= Revision::k2025_03_26;
  return true;
}

void FitContent(json::array& content, Revision revision) {
  for (json::value& item : content) {
    json::object* const block = item.if_object();
    const json::value* const type = block == nullptr ? nullptr : block->if_contains("type");
    if (type == nullptr || !type->is_string() || Knows(revision, type->get_string())) continue;
    std::string text(type->get_string());
    if (const json::value* const uri = block->if_contains("uri"); uri && uri->is_string()) {
      text += ": ";
      text += uri->get_string();
    }
    item = json::object{{"type", "text"}, {"text", text}};
  }
}

bool HasTasks(const json::object& capabilities) {
  const json::value* const extensions = capabilities.if_contains("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->get_object().contains("io.modelcontextprotocol/tasks");
}

// The extension, before it was one.
json::object OldTasks() {
  json::object calls{{"tools", json::object{{"call", json::object()}}}};
  return {{"list", json::object()}, {"cancel", json::object()}, {"requests", std::move(calls)}};
}

void FitItems(json::object& result, std::string_view list, Revision revision) {
  json::array* const items = ArrayOf(result, list);
  if (items == nullptr) return;
  for (json::value& value : *items) {
    json::object* const item = value.if_object();
    if (item == nullptr) continue;
    if (revision < Revision::k2025_11_25) item->erase("icons");
    if (revision < Revision::k2025_06_18) {
      item->erase("title");
      item->erase("outputSchema");
      item->erase("_meta");
    }
    if (revision < Revision::k2025_03_26 && list == "tools") item->erase("annotations");
  }
}

}  // namespace

void FitResult(json::object& result, std::string_view method, Revision revision) {
  if (revision >= kNewestHandshake) return;
  for (const std::string_view list : {"tools", "resources", "resourceTemplates", "prompts"}) {
    FitItems(result, list, revision);
  }
  if (method != "tools/call") return;
  if (revision < Revision::k2025_06_18) result.erase("structuredContent");
  if (json::array* const content = ArrayOf(result, "content")) FitContent(*content, revision);
}

json::object FitCapabilities(const json::object& capabilities, Revision revision) {
  json::object fit = capabilities;
  if (EraOf(revision) == Era::kHandshake) {
    if (revision == Revision::k2025_11_25 && HasTasks(fit)) fit["tasks"] = OldTasks();
    fit.erase("extensions");
  }
  if (revision < Revision::k2025_03_26) fit.erase("completions");
  return fit;
}

void FitError(RpcError& error, Revision revision) {
  if (EraOf(revision) == Era::kStateless) {
    if (error.code == RpcCode::kResourceNotFound) error.code = RpcCode::kInvalidParams;
    return;
  }
  switch (error.code) {
    case RpcCode::kMissingCapability:
    case RpcCode::kHeaderMismatch:
    case RpcCode::kUnsupportedRevision: error.code = RpcCode::kInvalidRequest; break;
    default: break;
  }
}

}  // namespace cordon::mcp
