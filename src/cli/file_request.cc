#include "cli/file_request.h"

#include <array>
#include <utility>

#include "base/try.h"
#include "cli/json_output.h"
#include "cli/judge.h"
#include "cli/percent_argument.h"
#include "cli/report.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;
using guard::Call;
using policy::ToolKind;

struct Known {
  FileOperation operation;
  std::string_view name;
  std::string_view tool;
  ToolKind kind;
};
constexpr std::array<Known, 8> kOperations{{
    {FileOperation::kRead, "read", "read_file", ToolKind::kRead},
    {FileOperation::kWrite, "write", "write_file", ToolKind::kWrite},
    {FileOperation::kAppend, "append", "append_file", ToolKind::kWrite},
    {FileOperation::kList, "list", "list_directory", ToolKind::kRead},
    {FileOperation::kStat, "stat", "file_info", ToolKind::kRead},
    {FileOperation::kMkdir, "mkdir", "create_directory", ToolKind::kWrite},
    {FileOperation::kMove, "move", "move_path", ToolKind::kWrite},
    {FileOperation::kDelete, "delete", "delete_path", ToolKind::kDelete},
}};

const Known& FactsOf(FileOperation operation) {
  for (const Known& known : kOperations) {
    if (known.operation == operation) return known;
  }
  return kOperations.front();
}

Status PerformChange(guard::Guard& guard, const Call& call, const FileRequest& request) {
  const bool all = request.depth == FileRequest::Depth::kAll;
  switch (request.operation) {
    case FileOperation::kWrite: return guard.Write(call, request.path, request.content);
    case FileOperation::kAppend: return guard.Append(call, request.path, request.content);
    case FileOperation::kMkdir:
      return all ? guard.MkdirAll(call, request.path) : guard.Mkdir(call, request.path);
    case FileOperation::kMove: return guard.Rename(call, request.path, request.to);
    case FileOperation::kDelete:
      return all ? guard.RemoveAll(call, request.path) : guard.Remove(call, request.path);
    case FileOperation::kRead:
    case FileOperation::kList:
    case FileOperation::kStat: break;
  }
  return UsageError("this operation changes nothing");
}

// The text of `key`, decoded if "keyEncoding" says so.
Result<std::string> Bytes(const json::object& object, const std::string& key) {
  const json::value* const value = object.if_contains(key);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return UsageError("\"" + key + "\" must be a string");
  std::string text(value->as_string());
  const json::value* const encoding = object.if_contains(key + "Encoding");
  if (encoding == nullptr) return text;
  if (!encoding->is_string() || encoding->as_string() != "percent") {
    return UsageError("\"" + key + "Encoding\" can only be \"percent\"");
  }
  return PercentArgument(text);
}

Status CheckFields(const json::object& object) {
  for (const auto& field : object) {
    const std::string_view name = field.key();
    if (name != "id" && name != "op" && name != "path" && name != "to" && name != "content" &&
        name != "recursive" && name != "pathEncoding" && name != "toEncoding" &&
        name != "contentEncoding") {
      return UsageError("unknown field " + Quoted(name));
    }
  }
  return {};
}

}  // namespace

std::optional<FileOperation> ParseFileOperation(std::string_view name) {
  for (const Known& known : kOperations) {
    if (known.name == name) return known.operation;
  }
  return std::nullopt;
}

Result<FileResult> Perform(guard::Guard& guard, const FileRequest& request) {
  const Known& facts = FactsOf(request.operation);
  const Call call{facts.tool, facts.kind, {}};
  FileResult result;
  switch (request.operation) {
    case FileOperation::kRead: {
      TRY_ASSIGN(confine::File file, guard.OpenRead(call, request.path));
      TRY_ASSIGN(result.content, file.ReadAll(kMaxContentBytes));
      return result;
    }
    case FileOperation::kList: {
      TRY_ASSIGN(result.entries, guard.List(call, request.path));
      return result;
    }
    case FileOperation::kStat: {
      TRY_ASSIGN(result.stat, guard.Stat(call, request.path));
      return result;
    }
    default: break;
  }
  TRY(PerformChange(guard, call, request));
  return result;
}

Result<FileRequest> ReadFileRequest(const json::object& object) {
  TRY(CheckFields(object));
  FileRequest request;
  const json::value* const op = object.if_contains("op");
  if (op == nullptr || !op->is_string()) return UsageError("\"op\" must be given, as a string");
  const auto operation = ParseFileOperation(op->as_string());
  if (!operation) {
    return UsageError(Quoted(op->as_string()) +
                      " is not an operation; use read, write, append, list, stat, mkdir, move or "
                      "delete");
  }
  request.operation = *operation;
  if (!object.contains("path")) return UsageError("\"path\" must be given");
  TRY_ASSIGN(request.path, Bytes(object, "path"));
  TRY_ASSIGN(request.to, Bytes(object, "to"));
  TRY_ASSIGN(request.content, Bytes(object, "content"));
  if (object.contains("to") != (*operation == FileOperation::kMove)) {
    return UsageError("\"to\" belongs to \"move\", which needs it");
  }
  const bool takes_content =
      *operation == FileOperation::kWrite || *operation == FileOperation::kAppend;
  if (object.contains("content") != takes_content) {
    return UsageError("\"content\" belongs to \"write\" and \"append\", which need it");
  }
  if (const json::value* const recursive = object.if_contains("recursive")) {
    if (!recursive->is_bool()) return UsageError("\"recursive\" must be true or false");
    if (recursive->as_bool()) request.depth = FileRequest::Depth::kAll;
  }
  return request;
}

json::object FileResultObject(const FileRequest& request, const FileResult& result) {
  json::object data;
  AddBytes(data, "path", request.path);
  if (request.operation == FileOperation::kRead) AddBytes(data, "content", result.content);
  if (request.operation == FileOperation::kList) {
    json::array entries;
    for (const confine::DirectoryEntry& entry : result.entries) {
      json::object object;
      AddBytes(object, "name", entry.name);
      object["type"] = FileTypeName(entry.type);
      entries.emplace_back(std::move(object));
    }
    data["entries"] = std::move(entries);
  }
  if (result.stat) {
    data["type"] = FileTypeName(result.stat->type);
    data["size"] = result.stat->size;
    data["mode"] = result.stat->mode;
  }
  return data;
}

}  // namespace cordon::cli
