#include "mcp_tools/tool_result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/percent.h"
#include "base/printable.h"
#include "mcp_tools/file_resources.h"
#include "tools/path_text.h"
#include "tools/result_object.h"

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;

json::object TextBlock(std::string_view text, json::storage_ptr memory) {
  json::object block(std::move(memory));
  block.reserve(2);
  block.emplace("type", "text");
  block.emplace("text", text);
  return block;
}

// The path an answer is about; empty if it does not say.
std::string PathIn(const json::object& data) {
  const json::value* const path = data.if_contains("path");
  if (path == nullptr || !path->is_string()) return {};
  std::string text(path->get_string());
  if (!data.contains("path_encoding")) return text;
  auto bytes = PercentDecode(text);
  return bytes ? std::move(*bytes) : std::string();
}

std::string UriIn(const json::object& data, const guard::Boundary& boundary) {
  const std::string path = PathIn(data);
  return path.empty() ? path : tools::FileUrl(tools::AbsoluteText(boundary, path));
}

json::object AttachmentBlock(const tools::Attachment& attachment, const std::string& uri,
                             std::size_t number) {
  const bool image = attachment.mime_type.starts_with("image/");
  if (image || attachment.mime_type.starts_with("audio/")) {
    return {{"type", image ? "image" : "audio"},
            {"data", Base64Encode(attachment.bytes)},
            {"mimeType", attachment.mime_type}};
  }
  // One of several has no path of its own in the answer.
  std::string name = number == 0 && !uri.empty() ? uri : "attachment:" + std::to_string(number);
  return {{"type", "resource"},
          {"resource", json::object{{"uri", std::move(name)},
                                    {"mimeType", attachment.mime_type},
                                    {"blob", Base64Encode(attachment.bytes)}}}};
}

// Of a file that was cut, if it can be read whole.
void AddLink(json::array& content, const json::object& data, const guard::Boundary& boundary) {
  const json::value* const cut = data.if_contains("truncated");
  const json::value* const size = data.if_contains("size");
  if (cut == nullptr || !cut->is_bool() || !cut->get_bool() || size == nullptr) return;
  if (!data.contains("etag") || !size->is_number()) return;
  const auto bytes = size->to_number<std::uint64_t>();
  const std::string uri = UriIn(data, boundary);
  if (uri.empty() || bytes > kMaxResource) return;
  content.push_back(json::object{{"type", "resource_link"},
                                 {"uri", uri},
                                 {"name", Printable(PathIn(data))},
                                 {"description", "The whole file"},
                                 {"size", bytes}});
}

}  // namespace

mcp::ToolResult MakeToolResult(tools::Served served, const ShelvedTool& tool,
                               const guard::Boundary& boundary) {
  // All of it where the data lives, so that nothing is copied when it is put together.
  const json::storage_ptr memory =
      served.outcome ? served.outcome->data.storage() : json::storage_ptr();
  mcp::ToolResult result{json::array(memory)};
  result.content.push_back(TextBlock(served.text, memory));
  if (!served.outcome) {
    result.ending = mcp::ToolResult::Ending::kError;
    // A declared output has no room for an error.
    if (tool.output == ShelvedTool::Output::kFree) {
      result.structured = json::object{{"error", tools::ErrorObject(served.outcome.error())}};
    }
    return result;
  }
  tools::Answer& answer = *served.outcome;
  const bool several = answer.attachments.size() > 1;
  if (!answer.attachments.empty()) {
    const std::string uri = UriIn(answer.data, boundary);
    for (std::size_t i = 0; i < answer.attachments.size(); ++i) {
      result.content.push_back(AttachmentBlock(answer.attachments[i], uri, several ? i + 1 : 0));
    }
  }
  AddLink(result.content, answer.data, boundary);
  if (tool.output == ShelvedTool::Output::kDeclared) result.structured = std::move(answer.data);
  return result;
}

mcp::ToolResult RefusedCall(const Error& error) {
  mcp::ToolResult result;
  result.ending = mcp::ToolResult::Ending::kError;
  result.content.push_back(TextBlock(tools::TellFailure(tools::Failure(error)), {}));
  return result;
}

}  // namespace cordon::mcp_tools
