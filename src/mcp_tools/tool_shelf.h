// The tools of one menu, declared once, and who may use which.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mcp/client.h"
#include "tools/menu.h"

namespace cordon::mcp_tools {

inline constexpr std::string_view kReadScope = "files:read";
// Who may change may look, too: changing tools tell of what they change.
inline constexpr std::string_view kWriteScopes = "files:read files:write";

bool MayRead(const mcp::Principal& principal);
bool MayWrite(const mcp::Principal& principal);

enum class Offer { kEverything, kReadOnly };
// Whether commands can be run, so that tools which do are of any use.
enum class Commands { kNone, kRun };

struct ShelvedTool {
  boost::json::object declaration;
  const tools::Tool* behind = nullptr;
  enum class Output { kDeclared, kFree } output = Output::kDeclared;

  std::string_view name() const { return declaration.at("name").get_string(); }
  bool changes() const { return behind->effect != tools::Effect::kNone; }
};

// Thread safety: const methods may run concurrently.
class ToolShelf {
 public:
  // `menu` must outlive it.
  ToolShelf(const tools::Menu& menu, Offer offer, Commands commands);

  const tools::Menu& menu() const { return menu_; }
  // Those `principal` may use, always in the same order.
  boost::json::array ListFor(const mcp::Principal& principal) const;
  // Null if there is none of this name.
  const ShelvedTool* Find(std::string_view name) const;
  bool HasLongOnes() const;  // tools that may take long

 private:
  const tools::Menu& menu_;
  std::vector<ShelvedTool> tools_;
  std::unordered_map<std::string_view, const ShelvedTool*> by_name_;
};

}  // namespace cordon::mcp_tools
