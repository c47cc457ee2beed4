#include "tests/grammar/memory_tree.h"

#include <deque>
#include <utility>

#include "base/try.h"
#include "path/posix.h"
#include "path/refusal.h"

namespace cordon::testing {
namespace {

constexpr int kMaxLinks = 40;

Error Plain(ErrorCode code, std::string_view component) {
  Error error;
  error.code = code;
  error.op = "memory tree";
  error.component = component;
  return error;
}

template <typename Parts>
std::string Join(const Parts& parts) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : "/") + part;
  return joined;
}

}  // namespace

// One resolution: the directories entered so far and the parts still to go.
class MemoryTree::Walk {
 public:
  Walk(const MemoryTree& tree, const policy::TextBoundary& boundary, Operation operation)
      : tree_(tree), boundary_(boundary), operation_(operation) {
    trail_.push_back(tree.Find("root"));
  }

  Result<Place> Run(std::vector<std::string> parts, LastLink last) {
    pending_.assign(parts.begin(), parts.end());
    while (!pending_.empty()) {
      const std::string part = std::move(pending_.front());
      pending_.pop_front();
      if (part == "..") {
        TRY(Leave());
        continue;
      }
      Node* directory = trail_.back();
      if (directory->kind != Kind::kDirectory) return Plain(ErrorCode::kNotADirectory, part);
      Node* child = tree_.Child(*directory, part);
      if (child == nullptr) {
        if (!pending_.empty()) return Plain(ErrorCode::kNotFound, part);
        return Place{directory, part, nullptr};
      }
      if (child->kind == Kind::kLink && (!pending_.empty() || last == LastLink::kFollow)) {
        TRY(Follow(*child));
        continue;
      }
      trail_.push_back(child);
    }
    // Once more by the names that are really there.
    TRY(policy::CheckNames(boundary_, TrueNames(), operation_));
    if (trail_.size() == 1) return Place{nullptr, "", trail_.back()};
    return Place{trail_[trail_.size() - 2], trail_.back()->name, trail_.back()};
  }

 private:
  Status Leave() {
    if (trail_.size() == 1) {
      return path::OutsidePath("..", "\"..\" leads above the root", Violation::kSymlink);
    }
    trail_.pop_back();
    return {};
  }

  Status Follow(const Node& link) {
    if (++links_ > kMaxLinks) return path::InvalidPath(link.name, "too many links");
    const path::LinkReading reading =
        path::ReadLinkText(boundary_.grammar, link.text, boundary_.roots);
    if (reading.kind == path::LinkReading::Kind::kOutside) {
      return path::OutsidePath(link.name, "a link leads outside", Violation::kSymlink);
    }
    if (reading.kind == path::LinkReading::Kind::kInside) trail_.resize(1);
    const auto& parts = reading.path.components;
    pending_.insert(pending_.begin(), parts.begin(), parts.end());
    return policy::CheckNames(boundary_, TrueNames() + "/" + Join(pending_), operation_);
  }

  std::string TrueNames() const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i < trail_.size(); ++i) names.push_back(trail_[i]->name);
    return Join(names);
  }

  const MemoryTree& tree_;
  const policy::TextBoundary& boundary_;
  Operation operation_;
  std::vector<Node*> trail_;
  std::deque<std::string> pending_;
  int links_ = 0;
};

MemoryTree::MemoryTree(path::NameRules rules) : rules_(rules), scratch_(std::make_unique<Node>()) {
  AddDirectory("root");
  AddFile("outside/secret", "secret");
}

std::string MemoryTree::Key(std::string_view name) const { return path::NameKey(name, rules_); }

MemoryTree::Node* MemoryTree::Child(const Node& directory, std::string_view name) const {
  const auto found = directory.children.find(Key(name));
  return found == directory.children.end() ? nullptr : found->second.get();
}

MemoryTree::Node* MemoryTree::Find(std::string_view path) const {
  Node* node = scratch_.get();
  path::Components components(path);
  for (std::string_view part = components.Next(); !part.empty() && node != nullptr;
       part = components.Next()) {
    node = Child(*node, part);
  }
  return node;
}

MemoryTree::Node& MemoryTree::Make(std::string_view path, Kind kind) {
  Node* node = scratch_.get();
  path::Components components(path);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    std::unique_ptr<Node>& child = node->children[Key(part)];
    if (!child) {
      child = std::make_unique<Node>();
      child->name = part;
    }
    node = child.get();
  }
  node->kind = kind;
  return *node;
}

void MemoryTree::AddDirectory(std::string_view path) { Make(path, Kind::kDirectory); }
void MemoryTree::AddFile(std::string_view path, std::string_view content) {
  Make(path, Kind::kFile).text = content;
}
void MemoryTree::AddLink(std::string_view path, std::string_view target) {
  Make(path, Kind::kLink).text = target;
}

bool MemoryTree::Exists(std::string_view path) const { return Find(path) != nullptr; }

std::string MemoryTree::Describe(std::string_view path) const {
  const Node* node = Find(path);
  if (node == nullptr) return "";
  std::string lines = std::string(path) + " " + std::to_string(static_cast<int>(node->kind)) + " " +
                      node->text + "\n";
  for (const auto& [key, child] : node->children) {
    lines += Describe(std::string(path) + "/" + child->name);
  }
  return lines;
}

Result<MemoryTree::Place> MemoryTree::Resolve(const policy::TextBoundary& boundary,
                                              std::string_view untrusted, Operation operation,
                                              LastLink last) const {
  TRY_ASSIGN(path::ParsedPath parsed, policy::ReadPath(boundary, untrusted, operation));
  return Walk(*this, boundary, operation).Run(std::move(parsed.components), last);
}

Result<std::string> MemoryTree::Read(const policy::TextBoundary& boundary,
                                     std::string_view untrusted) {
  TRY_ASSIGN(const Place place, Resolve(boundary, untrusted, Operation::kRead, LastLink::kFollow));
  if (place.node == nullptr) return Plain(ErrorCode::kNotFound, place.name);
  if (place.node->kind != Kind::kFile) return Plain(ErrorCode::kIsADirectory, place.name);
  return place.node->text;
}

Status MemoryTree::List(const policy::TextBoundary& boundary, std::string_view untrusted) {
  TRY_ASSIGN(const Place place, Resolve(boundary, untrusted, Operation::kList, LastLink::kFollow));
  if (place.node == nullptr) return Plain(ErrorCode::kNotFound, place.name);
  if (place.node->kind != Kind::kDirectory) return Plain(ErrorCode::kNotADirectory, place.name);
  return {};
}

Status MemoryTree::Create(const policy::TextBoundary& boundary, std::string_view untrusted) {
  TRY_ASSIGN(const Place place,
             Resolve(boundary, untrusted, Operation::kCreate, LastLink::kFollow));
  if (place.node != nullptr) {
    if (place.node->kind == Kind::kDirectory) return Plain(ErrorCode::kIsADirectory, place.name);
    place.node->text.clear();
    return {};
  }
  auto made = std::make_unique<Node>();
  made->kind = Kind::kFile;
  made->name = place.name;
  place.directory->children[Key(place.name)] = std::move(made);
  return {};
}

Status MemoryTree::Delete(const policy::TextBoundary& boundary, std::string_view untrusted) {
  TRY_ASSIGN(const Place place, Resolve(boundary, untrusted, Operation::kDelete, LastLink::kKeep));
  if (place.node == nullptr) return Plain(ErrorCode::kNotFound, place.name);
  if (place.directory == nullptr) return path::InvalidPath("", "the root itself stays");
  place.directory->children.erase(Key(place.node->name));
  return {};
}

Status MemoryTree::Rename(const policy::TextBoundary& boundary, std::string_view from,
                          std::string_view to) {
  TRY_ASSIGN(const Place source, Resolve(boundary, from, Operation::kRename, LastLink::kKeep));
  TRY_ASSIGN(const Place target, Resolve(boundary, to, Operation::kRename, LastLink::kKeep));
  if (source.node == nullptr) return Plain(ErrorCode::kNotFound, source.name);
  if (source.directory == nullptr || target.directory == nullptr) {
    return path::InvalidPath("", "the root itself stays");
  }
  auto taken = source.directory->children.extract(Key(source.node->name));
  taken.mapped()->name = target.name;
  target.directory->children[Key(target.name)] = std::move(taken.mapped());
  return {};
}

}  // namespace cordon::testing
