// list_roots: where a path may lead.
#include <boost/json/array.hpp>

#include "base/printable.h"
#include "tools/all.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr std::string_view kAccesses[] = {"read_write", "read_only"};
constexpr Field kRoot[] = {
    {"path", FieldType::kPath, Need::kRequired, "Absolute."},
    {"access", FieldType::kText, Need::kRequired, "What the place is for.", kAccesses},
};
constexpr Field kOutput[] = {
    {"roots",
     FieldType::kObjectList,
     Need::kRequired,
     "Relative paths are below the first.",
     {},
     {},
     {},
     kRoot},
};

// Nothing is opened or looked up: only what was configured is told.
Outcome RunListRoots(Context& context, const Arguments&) {
  Answer answer;
  json::array roots;
  for (const guard::Boundary::Place& place : context.guard.boundary().places()) {
    const bool fixed = place.zone == policy::Zone::kReadOnlyRoot;
    json::object root;
    AddPath(root, "path", place.root->real_path());
    root["access"] = fixed ? "read_only" : "read_write";
    roots.emplace_back(std::move(root));
    answer.text += Printable(place.root->real_path()) + (fixed ? " (read only)\n" : "\n");
  }
  answer.data["roots"] = std::move(roots);
  return answer;
}

}  // namespace

const Tool kListRoots{
    "list_roots",
    "List roots",
    "Tells the directories that may be worked in. Relative paths are below the first of them. "
    "Whether something in them is allowed is decided when it is asked for.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    {},
    kOutput,
    RunListRoots};

}  // namespace cordon::tools
