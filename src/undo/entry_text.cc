#include "undo/entry_text.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/percent.h"
#include "base/sha256.h"

namespace cordon::undo {
namespace {

namespace json = boost::json;

constexpr std::size_t kSumDigits = 16;
constexpr std::array<std::string_view, 5> kEvents{"begin", "end", "undo", "undone", "state"};
constexpr std::array<std::string_view, 6> kTypes{"absent", "file", "directory",
                                                 "link",   "tree", "other"};
constexpr std::array<std::string_view, 6> kKinds{"write", "append", "mkdir",
                                                 "link",  "remove", "rename"};

template <typename Enum, std::size_t N>
std::optional<Enum> FromName(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::string SumOf(std::string_view text) { return ToHex(Sha256(text)).substr(0, kSumDigits); }

// Reads fields of an object and remembers whether any was not what it must be.
class Reader {
 public:
  explicit Reader(const json::object& object) : object_(object) {}

  bool ok() const { return ok_; }
  bool Has(std::string_view key) const { return object_.contains(key); }

  std::string_view Name(std::string_view key) {
    const json::value* const value = object_.if_contains(key);
    if (value == nullptr || !value->is_string()) {
      ok_ = false;
      return {};
    }
    return value->as_string();
  }
  std::string Bytes(std::string_view key) {
    if (!Has(key)) return {};
    auto decoded = PercentDecode(Name(key));
    if (decoded) return std::move(*decoded);
    ok_ = false;
    return {};
  }
  std::uint64_t Number(std::string_view key) { return Integer<std::uint64_t>(key); }
  std::int64_t Signed(std::string_view key) { return Integer<std::int64_t>(key); }
  std::optional<Digest> MaybeDigest(std::string_view key) {
    if (!Has(key)) return std::nullopt;
    const std::optional<Digest> digest = FromHex(Name(key));
    if (!digest) ok_ = false;
    return digest;
  }
  const json::object* MaybeObject(std::string_view key) {
    const json::value* const value = object_.if_contains(key);
    if (value == nullptr) return nullptr;
    if (!value->is_object()) ok_ = false;
    return value->if_object();
  }
  void Fail() { ok_ = false; }

 private:
  template <typename Number>
  Number Integer(std::string_view key) {
    const json::value* const value = object_.if_contains(key);
    if (value == nullptr) return 0;
    boost::system::error_code error;
    const auto number = value->to_number<Number>(error);
    if (error) ok_ = false;
    return error ? 0 : number;
  }

  const json::object& object_;
  bool ok_ = true;
};

void AddText(json::object& object, std::string_view key, std::string_view bytes) {
  if (!bytes.empty()) object[key] = PercentEncode(bytes);
}

json::object NodeObject(const Node& node) {
  json::object object;
  object["type"] = kTypes[static_cast<std::size_t>(node.type)];
  if (node.mode) object["mode"] = *node.mode;
  if (node.size != 0) object["size"] = node.size;
  if (node.modified_ns != 0) object["modified"] = node.modified_ns;
  if (node.content) object["content"] = ToHex(*node.content);
  if (node.attributes) object["attributes"] = ToHex(*node.attributes);
  AddText(object, "text", node.text);
  AddText(object, "lost", node.lost);
  return object;
}

std::optional<Node> ReadNode(const json::object& object) {
  Reader reader(object);
  Node node;
  const auto type = FromName<NodeType>(kTypes, reader.Name("type"));
  if (!type) return std::nullopt;
  node.type = *type;
  if (reader.Has("mode")) node.mode = static_cast<std::uint32_t>(reader.Number("mode"));
  node.size = reader.Number("size");
  node.modified_ns = reader.Signed("modified");
  node.content = reader.MaybeDigest("content");
  node.attributes = reader.MaybeDigest("attributes");
  node.text = reader.Bytes("text");
  node.lost = reader.Bytes("lost");
  if (!reader.ok()) return std::nullopt;
  return node;
}

void ReadNodeInto(Reader& reader, std::string_view key, Node& node) {
  const json::object* const object = reader.MaybeObject(key);
  if (object == nullptr) return;
  std::optional<Node> read = ReadNode(*object);
  if (read) {
    node = std::move(*read);
  } else {
    reader.Fail();
  }
}

void AddChange(json::object& object, const Change& change) {
  if (change.group != 0) object["group"] = change.group;
  object["kind"] = KindName(change.kind);
  AddText(object, "path", change.path);
  AddText(object, "to", change.to);
  if (!change.made.empty()) {
    json::array made;
    for (const std::string& path : change.made) made.emplace_back(PercentEncode(path));
    object["made"] = std::move(made);
  }
  object["before"] = NodeObject(change.before);
  if (change.before_to.exists()) object["beforeTo"] = NodeObject(change.before_to);
  object["after"] = NodeObject(change.after);
  if (change.added) object["added"] = ToHex(*change.added);
  AddText(object, "temporary", change.temporary);
}

void ReadMade(Reader& reader, const json::object& object, Change& change) {
  const json::value* const made = object.if_contains("made");
  if (made == nullptr) return;
  if (!made->is_array()) return reader.Fail();
  for (const json::value& path : made->as_array()) {
    if (!path.is_string()) return reader.Fail();
    auto decoded = PercentDecode(path.as_string());
    if (!decoded) return reader.Fail();
    change.made.push_back(std::move(*decoded));
  }
}

void ReadChange(Reader& reader, const json::object& object, Change& change) {
  change.group = reader.Number("group");
  const auto kind = ParseKind(reader.Name("kind"));
  if (!kind) return reader.Fail();
  change.kind = *kind;
  change.path = reader.Bytes("path");
  change.to = reader.Bytes("to");
  ReadMade(reader, object, change);
  ReadNodeInto(reader, "before", change.before);
  ReadNodeInto(reader, "beforeTo", change.before_to);
  ReadNodeInto(reader, "after", change.after);
  change.added = reader.MaybeDigest("added");
  change.temporary = reader.Bytes("temporary");
}

void AddOrigin(json::object& object, const Origin& origin) {
  object["time"] = origin.time_ns;
  AddText(object, "session", origin.session);
  AddText(object, "actor", origin.actor);
  AddText(object, "tool", origin.tool);
  AddText(object, "workspace", origin.workspace);
}

Origin ReadOrigin(Reader& reader) {
  Origin origin;
  origin.time_ns = reader.Signed("time");
  origin.session = reader.Bytes("session");
  origin.actor = reader.Bytes("actor");
  origin.tool = reader.Bytes("tool");
  origin.workspace = reader.Bytes("workspace");
  return origin;
}

}  // namespace

std::string_view KindName(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::optional<Kind> ParseKind(std::string_view name) { return FromName<Kind>(kKinds, name); }

std::string FormatEntry(const Entry& entry) {
  json::object object;
  object["event"] = kEvents[static_cast<std::size_t>(entry.event)];
  object["id"] = entry.id;
  if (entry.event == Event::kBegin || entry.event == Event::kUndo) AddOrigin(object, entry.origin);
  if (entry.event == Event::kBegin) AddChange(object, entry.change);
  if (entry.event == Event::kUndo) object["undoes"] = entry.undoes;
  if (entry.event == Event::kEnd) {
    object["done"] = entry.change.ending == Change::Ending::kDone;
    if (entry.change.after.mode) object["mode"] = *entry.change.after.mode;
  }
  object["last"] = entry.last;
  object["total"] = entry.total;
  const std::string text = json::serialize(object);
  return SumOf(text) + " " + text + "\n";
}

std::optional<Entry> ParseEntry(std::string_view line) {
  if (line.size() < kSumDigits + 2 || line[kSumDigits] != ' ') return std::nullopt;
  const std::string_view text = line.substr(kSumDigits + 1);
  if (SumOf(text) != line.substr(0, kSumDigits)) return std::nullopt;
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  const json::object& object = value.as_object();
  Reader reader(object);
  const auto event = FromName<Event>(kEvents, reader.Name("event"));
  if (!event) return std::nullopt;
  Entry entry;
  entry.event = *event;
  entry.id = reader.Number("id");
  entry.last = reader.Number("last");
  entry.total = reader.Number("total");
  entry.undoes = reader.Number("undoes");
  entry.change.id = entry.id;
  if (*event == Event::kBegin || *event == Event::kUndo) entry.origin = ReadOrigin(reader);
  if (*event == Event::kBegin) ReadChange(reader, object, entry.change);
  if (*event == Event::kEnd) {
    const json::value* const done = object.if_contains("done");
    if (done == nullptr || !done->is_bool()) return std::nullopt;
    entry.change.ending = done->as_bool() ? Change::Ending::kDone : Change::Ending::kFailed;
    if (reader.Has("mode")) {
      entry.change.after.mode = static_cast<std::uint32_t>(reader.Number("mode"));
    }
  }
  if (!reader.ok()) return std::nullopt;
  return entry;
}

std::string FormatTree(const std::vector<TreeNode>& tree) {
  std::string text;
  for (const TreeNode& entry : tree) {
    json::object object = NodeObject(entry.node);
    AddText(object, "path", entry.path);
    text += json::serialize(object);
    text += '\n';
  }
  return text;
}

std::optional<std::vector<TreeNode>> ParseTree(std::string_view text) {
  std::vector<TreeNode> tree;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    boost::system::error_code error;
    const json::value value = json::parse(text.substr(0, end), error);
    if (error || !value.is_object()) return std::nullopt;
    std::optional<Node> node = ReadNode(value.as_object());
    Reader reader(value.as_object());
    std::string path = reader.Bytes("path");
    if (!node || !reader.ok()) return std::nullopt;
    tree.push_back({std::move(path), std::move(*node)});
    text.remove_prefix(end + 1);
  }
  return tree;
}

}  // namespace cordon::undo
