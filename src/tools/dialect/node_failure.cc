#include "tools/dialect/node_failure.h"

#include "tools/dialect/data_fields.h"
#include "tools/menu.h"
#include "tools/path_text.h"
#include "tools/result_object.h"

namespace cordon::tools::dialect {
namespace {

std::string InQuotes(std::string_view path) { return "'" + ValidUtf8(path) + "'"; }

// What the operation was about: one path, or the two of a rename.
std::string Subject(std::string_view path, const Scene& scene) {
  const guard::Boundary& boundary = scene.boundary;
  if (scene.operation != "rename") return InQuotes(AbsoluteText(boundary, path));
  return InQuotes(AbsoluteText(boundary, scene.given.Text("source"))) + " -> " +
         InQuotes(AbsoluteText(boundary, scene.given.Text("destination")));
}

std::string AccessDenied(std::string_view what, std::string_view path, const Scene& scene) {
  return "Access denied - " + std::string(what) +
         " outside allowed directories: " + ValidUtf8(AbsoluteText(scene.boundary, path)) +
         " not in " + RootsText(scene.boundary, ", ");
}

// The text that was to be replaced, of the edit that failed.
std::string FailedEdit(const Failure& failure, const Scene& scene) {
  const auto& edits = scene.given.Objects("edits");
  const std::int64_t told = NumberIn(failure.data, "edit");
  const auto index = static_cast<std::size_t>(told > 0 ? told - 1 : 0);
  return index < edits.size() ? edits[index].Text("oldText") : std::string();
}

}  // namespace

std::string NodeSentence(ErrorCode code, std::string_view path, const Scene& scene) {
  const std::string at = std::string(scene.operation) + " " + Subject(path, scene);
  switch (code) {
    case ErrorCode::kNotFound: return "ENOENT: no such file or directory, " + at;
    case ErrorCode::kNotADirectory: {
      if (scene.operation == "scandir") return "ENOTDIR: not a directory, " + at;
      return "ENOTDIR: not a directory, realpath " + InQuotes(AbsoluteText(scene.boundary, path));
    }
    case ErrorCode::kIsADirectory: {
      const std::string sentence = "EISDIR: illegal operation on a directory, ";
      return sentence + (scene.given.Has("content") ? at : "read");
    }
    case ErrorCode::kAlreadyExists: {
      if (scene.operation != "rename") return "EEXIST: file already exists, " + at;
      return "Destination already exists: " + ValidUtf8(AbsoluteText(scene.boundary, path));
    }
    case ErrorCode::kInvalidPath:
      return scene.operation == "rename" ? "EINVAL: invalid argument, " + at : std::string();
    case ErrorCode::kPermissionDenied: return "EACCES: permission denied, " + at;
    case ErrorCode::kPathOutsideProject: return AccessDenied("path", path, scene);
    default: return {};
  }
}

ErrorCode CodeNamed(std::string_view name) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kIoError); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    if (ErrorCodeName(code) == name) return code;
  }
  return ErrorCode::kIoError;
}

std::string NodeFailure(const Failure& failure, const Scene& scene) {
  const Error& error = failure.error;
  const std::string_view requested = failure.requested;
  if (error.code == ErrorCode::kUnknownTool) {
    return "MCP error -32602: Tool " + ValidUtf8(scene.tool) + " not found";
  }
  if (error.code == ErrorCode::kInvalidArguments && requested.empty()) {
    if (error.op != "arguments") return ValidUtf8(error.detail);
    return "MCP error -32602: Input validation error: Invalid arguments for tool " +
           std::string(scene.tool) + ": " + ValidUtf8(error.detail);
  }
  if (error.code == ErrorCode::kNoMatch) {
    return "Could not find exact match for edit:\n" + FailedEdit(failure, scene);
  }
  if (error.code == ErrorCode::kPathOutsideProject && error.violation == Violation::kSymlink) {
    return AccessDenied("symlink target", requested, scene);
  }
  const std::string sentence = NodeSentence(error.code, requested, scene);
  return sentence.empty() ? TellFailure(failure) : sentence;
}

}  // namespace cordon::tools::dialect
