#include "tools/menu.h"

#include "tools/dialects.h"
#include "tools/registry.h"
#include "tools/result_object.h"
#include "tools/schema.h"

namespace cordon::tools {
namespace {

class Own : public Menu {
 public:
  std::string_view name() const override { return "cordon"; }

  std::vector<boost::json::object> Declarations() const override {
    std::vector<boost::json::object> declarations;
    for (const Tool* const tool : AllTools()) declarations.push_back(ToolObject(*tool));
    return declarations;
  }

  const Tool* Behind(std::string_view tool) const override { return FindTool(tool); }

  Served Call(std::string_view tool, const boost::json::object& arguments, guard::Guard& guard,
              const CallOptions& options) const override {
    const Tool* const found = FindTool(tool);
    Outcome outcome =
        found == nullptr ? Outcome(UnknownTool(tool)) : Run(*found, guard, arguments, options);
    std::string text = outcome ? std::move(outcome->text) : TellFailure(outcome.error());
    return {std::move(outcome), std::move(text)};
  }
};

const Own kOwn;

std::vector<const Menu*> CollectMenus() {
  std::vector<const Menu*> menus{&kOwn};
  for (const Menu* const menu : AllDialects()) menus.push_back(menu);
  return menus;
}

}  // namespace

const Menu& OwnMenu() { return kOwn; }

std::span<const Menu* const> AllMenus() {
  static const std::vector<const Menu*> kMenus = CollectMenus();
  return kMenus;
}

const Menu* FindMenu(std::string_view name) {
  for (const Menu* const menu : AllMenus()) {
    if (menu->name() == name) return menu;
  }
  return nullptr;
}

std::string TellFailure(const Failure& failure) {
  std::string text = MessageOf(failure);
  const std::string advice = failure.advice.empty() ? failure.error.AiMessage() : failure.advice;
  if (!advice.empty()) text += "\n" + ValidUtf8(advice);
  return text + "\n[" + std::string(ErrorCodeName(failure.error.code)) + "]";
}

}  // namespace cordon::tools
