#include "mcp_tools/path_completion.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/unicode.h"

namespace cordon::mcp_tools {
namespace {

constexpr std::size_t kMostTold = 100;
constexpr std::size_t kMostListed = 100'000;

void AddRoots(const guard::Boundary& boundary, std::string_view begun,
              std::set<std::string>& values) {
  for (const guard::Boundary::Place& place : boundary.places()) {
    std::string value = place.root->real_path().substr(1);
    if (!value.empty()) value += '/';
    if (value.size() > begun.size() && value.starts_with(begun)) values.insert(std::move(value));
  }
}

void AddEntries(guard::Guard& guard, const std::string& directory, std::string_view prefix,
                const std::stop_token& stop, std::set<std::string>& values) {
  guard::Call call{"completion/complete", policy::ToolKind::kRead, stop};
  call.asks = guard::Call::Asks::kNever;
  const auto entries = guard.List(call, directory, kMostListed);
  if (!entries) return;
  for (const confine::DirectoryEntry& entry : *entries) {
    if (!entry.name.starts_with(prefix) || !unicode::IsValidUtf8(entry.name)) continue;
    std::string value = directory.substr(1);
    value += entry.name;
    if (entry.type == platform::FileType::kDirectory) value += '/';
    values.insert(std::move(value));
  }
}

}  // namespace

mcp::Completions CompletePath(guard::Guard& guard, std::string_view begun,
                              const std::stop_token& stop) {
  const bool slash = begun.starts_with('/');
  if (slash) begun.remove_prefix(1);
  std::set<std::string> values;
  AddRoots(guard.boundary(), begun, values);
  const std::size_t end = begun.rfind('/');
  const std::size_t split = end == std::string_view::npos ? 0 : end + 1;
  std::string directory = "/";
  directory += begun.substr(0, split);
  // Outside there is nothing to tell, and a refusal would only fill the log.
  if (guard.boundary().Locate(directory).root != nullptr) {
    AddEntries(guard, directory, begun.substr(split), stop, values);
  }
  mcp::Completions completions;
  completions.total = values.size();
  for (const std::string& value : values) {
    if (completions.values.size() == kMostTold) break;
    completions.values.push_back(slash ? "/" + value : value);
  }
  return completions;
}

}  // namespace cordon::mcp_tools
