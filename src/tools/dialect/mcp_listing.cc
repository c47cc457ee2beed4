#include <algorithm>
#include <boost/json/serialize.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/printable.h"
#include "tools/dialect/collation.h"
#include "tools/dialect/data_fields.h"
#include "tools/dialect/js_text.h"
#include "tools/dialect/mcp_texts.h"
#include "tools/path_text.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

struct Entry {
  std::string path, kind;
  std::int64_t size = 0;
};

std::vector<Entry> EntriesOf(const Answer& ours) {
  std::vector<Entry> entries;
  for (const json::value& one : ListIn(ours.data, "entries")) {
    const json::object& entry = one.as_object();
    entries.push_back({std::string(TextIn(entry, "path")), std::string(TextIn(entry, "kind")),
                       NumberIn(entry, "size")});
  }
  return entries;
}

// A link is told as what it is: where it leads may be anywhere.
std::string_view LabelOf(const Entry& entry) {
  if (entry.kind == "directory") return "[DIR]";
  return entry.kind == "link" ? "[LINK]" : "[FILE]";
}

struct Node {
  std::string kind;
  std::map<std::string, Node> below;  // in the order of bytes
};

Node TreeOf(const Answer& ours) {
  Node top;
  for (const Entry& entry : EntriesOf(ours)) {
    Node* node = &top;
    std::string_view rest = entry.path;
    while (!rest.empty()) {
      const std::size_t slash = rest.find('/');
      node = &node->below[std::string(rest.substr(0, slash))];
      rest.remove_prefix(slash == rest.npos ? rest.size() : slash + 1);
    }
    node->kind = entry.kind;
  }
  return top;
}

// As JSON.stringify writes it with an indent of two. As deep as list_directory goes.
void AppendTree(std::string& text, const Node& node, std::size_t indent) {
  if (node.below.empty()) {
    text += "[]";
    return;
  }
  const std::string margin(indent, ' ');
  text += "[";
  bool first = true;
  for (const auto& [name, child] : node.below) {
    text += (first ? "\n" : ",\n") + margin + "  {\n";
    first = false;
    const std::string_view type = child.kind == "directory" || child.kind == "link"
                                      ? std::string_view(child.kind)
                                      : std::string_view("file");
    text += margin + "    \"name\": " + json::serialize(json::value(name)) + ",\n";
    text += margin + "    \"type\": \"" + std::string(type) + "\"";
    if (child.kind == "directory") {
      text += ",\n" + margin + "    \"children\": ";
      AppendTree(text, child, indent + 4);
    }
    text += "\n" + margin + "  }";
  }
  text += "\n" + margin + "]";
}

}  // namespace

std::string McpListing(const Answer& ours, const Scene&) {
  std::vector<Entry> entries = EntriesOf(ours);
  std::ranges::sort(entries, {}, &Entry::path);
  std::string text;
  for (const Entry& entry : entries) {
    if (!text.empty()) text += '\n';
    text += std::string(LabelOf(entry)) + " " + Printable(entry.path, entry.path.size());
  }
  return text;
}

std::string McpSizedListing(const Answer& ours, const Scene& scene) {
  constexpr std::size_t kNameWidth = 30, kSizeWidth = 10;
  std::vector<Entry> entries = EntriesOf(ours);
  if (scene.given.TextOr("sortBy", "name") == "name") {
    std::ranges::sort(entries, ReadsBefore, &Entry::path);
  }
  std::string text;
  std::int64_t files = 0, directories = 0, size = 0;
  for (const Entry& entry : entries) {
    const bool directory = entry.kind == "directory";
    (directory ? directories : files) += 1;
    size += entry.size;
    text += std::string(LabelOf(entry)) + " " +
            PadEnd(Printable(entry.path, entry.path.size()), kNameWidth) + " " +
            (directory ? std::string() : PadStart(JsSize(entry.size), kSizeWidth)) + "\n";
  }
  return text + "\nTotal: " + std::to_string(files) + " files, " + std::to_string(directories) +
         " directories\nCombined size: " + JsSize(size);
}

std::string McpFound(const Answer& ours, const Scene& scene) {
  const std::string start = AbsoluteText(scene.boundary, scene.given.Text("path"));
  std::vector<Entry> entries = EntriesOf(ours);
  // Each directory before what is below it, names in the order of bytes.
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::ranges::lexicographical_compare(a.path, b.path, [](char first, char second) {
      const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c); };
      return rank(first) < rank(second);
    });
  });
  std::string text;
  for (const Entry& entry : entries) {
    text += (text.empty() ? "" : "\n") + start + "/" + Printable(entry.path, entry.path.size());
  }
  return text.empty() ? "No matches found" : text;
}

std::string McpTree(const Answer& ours, const Scene&) {
  std::string text;
  AppendTree(text, TreeOf(ours), 0);
  return text;
}

std::string McpInfo(const Answer& ours, const Scene&) {
  const json::object& data = ours.data;
  const std::string_view kind = TextIn(data, "kind");
  const std::string_view mode = TextIn(data, "mode");
  const std::string_view modified = TextIn(data, "modified");
  const std::string_view created = data.contains("created") ? TextIn(data, "created") : modified;
  return "size: " + std::to_string(NumberIn(data, "size")) + "\ncreated: " + JsDate(created) +
         "\nmodified: " + JsDate(modified) + "\naccessed: " + JsDate(TextIn(data, "accessed")) +
         "\nisDirectory: " + (kind == "directory" ? "true" : "false") +
         "\nisFile: " + (kind == "file" ? "true" : "false") +
         "\npermissions: " + std::string(mode.substr(mode.size() > 3 ? mode.size() - 3 : 0));
}

std::string McpRoots(const Answer&, const Scene& scene) {
  return "Allowed directories:\n" + RootsText(scene.boundary, "\n");
}

}  // namespace cordon::tools::dialect
