#include "cli/find_menu.h"

#include "base/printable.h"
#include "cli/report.h"

namespace cordon::cli {

Result<const tools::Menu*> FindMenu(const std::optional<std::string>& dialect) {
  const std::string name = dialect.value_or("cordon");
  if (const tools::Menu* const menu = tools::FindMenu(name)) return menu;
  std::string known;
  for (const tools::Menu* const menu : tools::AllMenus()) {
    if (!known.empty()) known += ", ";
    known += menu->name();
  }
  return UsageError("--dialect: " + Quoted(name) + " is none of: " + known);
}

}  // namespace cordon::cli
