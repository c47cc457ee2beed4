#include "tools/registry.h"

#include <array>

#include "base/printable.h"
#include "tools/all.h"

namespace cordon::tools {
namespace {

constexpr auto kTools = std::to_array<const Tool*>(
    {&kReadFile, &kReadFiles,     &kWriteFile,       &kAppendFile, &kInsertLines, &kEditFile,
     &kReplace,  &kApplyPatch,    &kCreateDirectory, &kDeletePath, &kMovePath,    &kCopyPath,
     &kFileInfo, &kListDirectory, &kListRoots,       &kGlob,       &kGrep,        &kUndo,
     &kHistory,  &kBash,          &kBashOutput,      &kBashStop});

}  // namespace

std::span<const Tool* const> AllTools() { return kTools; }

const Tool* FindTool(std::string_view name) {
  for (const Tool* const tool : kTools) {
    if (tool->name == name) return tool;
  }
  return nullptr;
}

Error UnknownTool(std::string_view name) {
  Error error;
  error.code = ErrorCode::kUnknownTool;
  error.op = "tool";
  error.component = name;
  error.detail = "there is no tool " + Quoted(name) + "; those there are:";
  for (const Tool* const tool : kTools) error.detail += " " + std::string(tool->name);
  return error;
}

}  // namespace cordon::tools
