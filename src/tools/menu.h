// The tools under the names, parameters and result texts that one kind of client knows.
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/outcome.h"
#include "tools/tool.h"

namespace cordon::tools {

// How a call ended, and how this client's models are used to be told.
struct Served {
  Outcome outcome;   // its text is not kept, `text` is what is told
  std::string text;  // of success or failure alike
};

class Menu {
 public:
  virtual ~Menu() = default;
  // "cordon", "mcp-filesystem", ...
  virtual std::string_view name() const = 0;
  // As schema.h's ToolObject; always in the same order.
  virtual std::vector<boost::json::object> Declarations() const = 0;
  // The tool of ours behind a name; null if there is none.
  virtual const Tool* Behind(std::string_view tool) const = 0;
  // `options.wanted` says what of the answer has to be there.
  // Errors in the outcome: kUnknownTool, kInvalidArguments, and the tool's own.
  virtual Served Call(std::string_view tool, const boost::json::object& arguments,
                      guard::Guard& guard, const CallOptions& options) const = 0;
};

// Our own names.
const Menu& OwnMenu();

// Every menu, our own first. Null if there is none of this name.
std::span<const Menu* const> AllMenus();
const Menu* FindMenu(std::string_view name);

// What a model is told of a failure, where its kind of client has no words of its own.
std::string TellFailure(const Failure& failure);

}  // namespace cordon::tools
