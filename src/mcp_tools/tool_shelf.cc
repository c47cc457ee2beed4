#include "mcp_tools/tool_shelf.h"

#include <algorithm>
#include <utility>

namespace cordon::mcp_tools {

namespace json = boost::json;

bool MayRead(const mcp::Principal& principal) { return principal.MayUse(kReadScope); }
bool MayWrite(const mcp::Principal& principal) {
  return principal.MayUse(kReadScope) && principal.MayUse("files:write");
}

ToolShelf::ToolShelf(const tools::Menu& menu, Offer offer, Commands commands) : menu_(menu) {
  for (json::object& declaration : menu.Declarations()) {
    ShelvedTool tool{std::move(declaration)};
    tool.behind = menu.Behind(tool.name());
    // What cannot be told apart from a change is one.
    if (tool.behind == nullptr || (offer == Offer::kReadOnly && tool.changes())) continue;
    if (tool.behind->needs == tools::Needs::kCommands && commands == Commands::kNone) continue;
    if (!tool.declaration.contains("outputSchema")) tool.output = ShelvedTool::Output::kFree;
    tools_.push_back(std::move(tool));
  }
  for (const ShelvedTool& tool : tools_) by_name_.emplace(tool.name(), &tool);
}

json::array ToolShelf::ListFor(const mcp::Principal& principal) const {
  json::array list;
  list.reserve(tools_.size());
  for (const ShelvedTool& tool : tools_) {
    if (tool.changes() ? MayWrite(principal) : MayRead(principal)) {
      list.emplace_back(tool.declaration);
    }
  }
  return list;
}

bool ToolShelf::HasLongOnes() const {
  return std::any_of(tools_.begin(), tools_.end(), [](const ShelvedTool& tool) {
    return tool.behind->lasts == tools::Lasts::kLong;
  });
}

const ShelvedTool* ToolShelf::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

}  // namespace cordon::mcp_tools
