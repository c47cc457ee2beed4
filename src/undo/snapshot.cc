#include "undo/snapshot.h"

#include <utility>

#include "base/percent.h"
#include "base/try.h"
#include "undo/entry_text.h"

namespace cordon::undo {
namespace {

using confine::FileContent;
using platform::FileStat;
using platform::FileType;

constexpr std::uint32_t kFileModeBits = 0777;  // what Replacement gives back

NodeType TypeOf(const FileStat& stat) {
  switch (stat.type) {
    case FileType::kRegular: return NodeType::kFile;
    case FileType::kDirectory: return NodeType::kDirectory;
    case FileType::kSymlink: return NodeType::kLink;
    default: return NodeType::kOther;
  }
}

// All but content and text.
Node Outline(const FileStat& stat) {
  Node node;
  node.type = TypeOf(stat);
  if (node.type == NodeType::kFile) {
    node.mode = stat.mode & kFileModeBits;
    node.size = stat.size;
    node.modified_ns = stat.modified_ns;
  } else if (node.type == NodeType::kDirectory) {
    node.mode = stat.mode;
  } else if (node.type == NodeType::kOther) {
    node.lost = "pipes, sockets and devices cannot be kept";
  }
  return node;
}

bool IsStale(const Error& error) { return error.code == ErrorCode::kStaleFile; }

std::string Reason(const Error& error) {
  return error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
}

Result<Node> OutlineLink(const FileStat& stat, Result<std::string> text) {
  Node node = Outline(stat);
  if (text) {
    node.text = std::move(*text);
  } else if (IsStale(text.error())) {
    return std::move(text.error());
  } else {
    node.lost = Reason(text.error());
  }
  return node;
}

}  // namespace

std::string FormatAttributes(const std::vector<platform::Attribute>& attributes) {
  std::string text;
  for (const platform::Attribute& attribute : attributes) {
    text += PercentEncode(attribute.name) + "\n" + PercentEncode(attribute.value) + "\n";
  }
  return text;
}

Result<std::vector<platform::Attribute>> ParseAttributes(std::string_view text) {
  std::vector<std::string> fields;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return JournalError("kept attributes are damaged");
    TRY_ASSIGN(std::string field, PercentDecode(text.substr(0, end)));
    fields.push_back(std::move(field));
    text.remove_prefix(end + 1);
  }
  if (fields.size() % 2 != 0) return JournalError("kept attributes are damaged");
  std::vector<platform::Attribute> attributes;
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    attributes.push_back({std::move(fields[i]), std::move(fields[i + 1])});
  }
  return attributes;
}

Result<Node> Describe(const confine::Probed& probed, const Limits& limits, std::string* bytes) {
  if (!probed.exists) return Node{};
  Node node = Outline(probed.stat);
  if (node.type == NodeType::kLink) return OutlineLink(probed.stat, ReadProbedLink(probed));
  if (node.type != NodeType::kFile) return node;
  Result<FileContent> content = ReadProbedFile(probed, limits.file);
  if (content) {
    node.size = content->bytes.size();
    node.content = Sha256(content->bytes);
    if (bytes != nullptr) *bytes = std::move(content->bytes);
  } else if (IsStale(content.error())) {
    return content.error();
  } else {
    node.lost = Reason(content.error());
  }
  return node;
}

Status Snapshot::Keep(const Digest& digest, std::string_view bytes) {
  TRY_ASSIGN(const std::uint64_t added, objects_.Put(digest, bytes));
  added_ += added;
  return {};
}

Result<Node> Snapshot::KeepFile(Result<FileContent> content, const FileStat& stat) {
  Node node = Outline(stat);
  if (!content) {
    if (IsStale(content.error())) return std::move(content.error());
    node.lost = Reason(content.error());
    return node;
  }
  node = Outline(content->stat);
  seen_ += content->bytes.size();
  if (seen_ > limits_.operation()) {
    node.lost = "this is more than the journal keeps of one operation";
    return node;
  }
  node.content = Sha256(content->bytes);
  TRY(Keep(*node.content, content->bytes));
  if (!content->attributes.empty()) {
    const std::string text = FormatAttributes(content->attributes);
    node.attributes = Sha256(text);
    TRY(Keep(*node.attributes, text));
  }
  return node;
}

Result<Node> Snapshot::KeepOne(const confine::Probed& probed) {
  if (!probed.exists) return Node{};
  switch (TypeOf(probed.stat)) {
    case NodeType::kFile: return KeepFile(ReadProbedFile(probed, limits_.file), probed.stat);
    case NodeType::kLink: return OutlineLink(probed.stat, ReadProbedLink(probed));
    default: return Outline(probed.stat);
  }
}

Result<TreeNode> Snapshot::KeepEntry(const confine::ProbedEntry& entry) {
  TreeNode kept{entry.path, {}};
  switch (TypeOf(entry.stat)) {
    case NodeType::kFile: {
      TRY_ASSIGN(kept.node, KeepFile(ReadEntryFile(entry, limits_.file), entry.stat));
      break;
    }
    case NodeType::kLink: {
      TRY_ASSIGN(kept.node, OutlineLink(entry.stat, ReadEntryLink(entry)));
      break;
    }
    default: kept.node = Outline(entry.stat);
  }
  return kept;
}

Result<Node> Snapshot::KeepAll(const confine::Root& root, const confine::Probed& probed) {
  if (!probed.exists || TypeOf(probed.stat) != NodeType::kDirectory) return KeepOne(probed);
  Node top = Outline(probed.stat);
  std::vector<TreeNode> tree{{"", top}};
  top.type = NodeType::kTree;
  const confine::WalkLimits limits{limits_.entries, limits_.entries};
  Status walked = root.WalkProbed(probed, limits, [&](const confine::ProbedEntry& entry) -> Status {
    // What is lost in a part is lost in the whole: there is no use in the rest.
    if (!top.lost.empty()) return {};
    TRY_ASSIGN(TreeNode kept, KeepEntry(entry));
    if (!kept.node.lost.empty()) {
      top.lost = PercentEncode(entry.path) + ": " + kept.node.lost;
      return {};
    }
    if (kept.node.type == NodeType::kFile) top.size += kept.node.size;
    tree.push_back(std::move(kept));
    return {};
  });
  if (!walked) {
    if (walked.error().code != ErrorCode::kLimitExceeded) return std::move(walked.error());
    top.lost = Reason(walked.error());
  }
  if (!top.lost.empty()) return top;
  const std::string text = FormatTree(tree);
  top.content = Sha256(text);
  TRY(Keep(*top.content, text));
  return top;
}

}  // namespace cordon::undo
