// What the model's operations do with what was found.
#include <algorithm>

#include "tests/model/tree.h"

namespace cordon::model {
namespace {

Answer Refuse(std::set<ErrorCode> codes) { return Answer{std::move(codes), false, {}}; }

Answer Refuse(ErrorCode code) { return Answer{{code}, false, {}}; }

std::string KindName(const Node& node) {
  switch (node.kind) {
    case Kind::kDirectory: return "directory";
    case Kind::kFile: return "file";
    case Kind::kLink: return "link";
    case Kind::kSpecial: return "special";
  }
  return "";
}

// A directory that has something in it is not removed or replaced; POSIX lets a
// system say either that it exists or that it is not empty.
const std::set<ErrorCode> kNotEmpty = {ErrorCode::kAlreadyExists, ErrorCode::kInvalidArguments,
                                       ErrorCode::kIoError};

void DumpInto(const Node& directory, const std::string& prefix, std::string& text) {
  for (const auto& [name, node] : directory.entries) {
    text += prefix + name + " " + KindName(*node) + " " + node->text + "\n";
    if (node->kind == Kind::kDirectory) DumpInto(*node, prefix + name + "/", text);
  }
}

bool AnyDeniedBelow(const Node& node) {
  return std::any_of(node.entries.begin(), node.entries.end(), [](const auto& entry) {
    return IsDenied(entry.first) || AnyDeniedBelow(*entry.second);
  });
}

}  // namespace

Tree::Tree(std::vector<std::string> spellings)
    : spellings_(std::move(spellings)), root_(std::make_shared<Node>()) {}

void Tree::Put(std::string_view path, NodePtr node) {
  std::string done;
  std::string_view rest = path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    done += (done.empty() ? "" : "/") + std::string(rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
    if (Find(done) == nullptr) Put(done, std::make_shared<Node>());
  }
  const NodePtr parent = done.empty() ? root_ : Find(done);
  parent->entries[std::string(rest)] = std::move(node);
}

void Tree::PutHere(std::string_view path, NodePtr node) {
  NodePtr directory = root_;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    directory = directory->entries.at(std::string(path.substr(0, slash)));
    path.remove_prefix(slash + 1);
  }
  directory->entries[std::string(path)] = std::move(node);
}

NodePtr Tree::Find(std::string_view path) {
  // The denied names are in the tree like any other: this is not an operation.
  Found found;
  found.chain = {root_};
  std::deque<std::string> parts;
  std::string part;
  for (const char c : std::string(path) + "/") {
    if (c != '/') {
      part += c;
    } else {
      parts.push_back(part);
      part.clear();
    }
  }
  found = Walk(std::move(parts), std::move(found), Final::kFollow);
  return found.refusal.allowed() ? found.node : nullptr;
}

Answer Tree::Read(std::string_view path) {
  const Found found = Resolve(path, Final::kFollow);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.node->kind == Kind::kDirectory) return Refuse(ErrorCode::kIsADirectory);
  if (found.must_be_directory) return Refuse(ErrorCode::kNotADirectory);
  if (found.node->kind == Kind::kSpecial) return Refuse(ErrorCode::kNotARegularFile);
  if (found.node->names > 1) return Answer{{}, true, {}};
  return Answer{{}, false, found.node->text};
}

Answer Tree::Write(std::string_view path, std::string_view content) {
  const Answer readable = Read(path);
  if (!readable.allowed()) return readable;
  const NodePtr node = Resolve(path, Final::kFollow).node;
  node->text =
      std::string(content) + node->text.substr(std::min(node->text.size(), content.size()));
  return {};
}

Answer Tree::Make(std::string_view path, std::string_view content, Existing existing) {
  const Found found = Resolve(path, Final::kFollow);
  Answer answer = MakeFile(found, path, content, existing);
  // A link on the way may say "directory", which a file cannot be.
  if (!answer.allowed() && found.must_be_directory &&
      !answer.codes.contains(ErrorCode::kPathOutsideProject)) {
    answer.codes.insert(ErrorCode::kNotADirectory);
  }
  return answer;
}

Answer Tree::MakeFile(const Found& found, std::string_view path, std::string_view content,
                      Existing existing) {
  // A path that says "directory" names no file to be made, wherever it leads.
  if (const Found kept = Resolve(path, Final::kKeep);
      kept.must_be_directory && kept.refusal.allowed() && !kept.name.empty()) {
    const bool directory = kept.node != nullptr && kept.node->kind == Kind::kDirectory;
    return directory ? Refuse({ErrorCode::kNotADirectory, ErrorCode::kIsADirectory})
                     : Refuse(ErrorCode::kNotADirectory);
  }
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) {
    if (found.must_be_directory) return Refuse(ErrorCode::kNotADirectory);
    auto file = std::make_shared<Node>(Node{Kind::kFile, std::string(content), 1, {}});
    found.chain.back()->entries[found.name] = std::move(file);
    return {};
  }
  if (found.node->kind == Kind::kDirectory) return Refuse(ErrorCode::kIsADirectory);
  if (found.must_be_directory) return Refuse(ErrorCode::kNotADirectory);
  if (found.node->kind == Kind::kSpecial) return Refuse(ErrorCode::kNotARegularFile);
  if (found.node->names > 1) return Answer{{}, true, {}};
  found.node->text = (existing == Existing::kKept ? found.node->text : "") + std::string(content);
  return {};
}

Answer Tree::Create(std::string_view path, std::string_view content) {
  return Make(path, content, Existing::kDropped);
}

Answer Tree::Append(std::string_view path, std::string_view content) {
  return Make(path, content, Existing::kKept);
}

Answer Tree::CreateExclusive(std::string_view path, std::string_view content) {
  const Found found = Resolve(path, Final::kKeep);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.must_be_directory || found.name.empty()) {
    return Refuse({ErrorCode::kAlreadyExists, ErrorCode::kNotADirectory, ErrorCode::kIsADirectory,
                   ErrorCode::kInvalidPath});
  }
  if (found.node != nullptr) return Refuse(ErrorCode::kAlreadyExists);
  return Make(path, content, Existing::kDropped);
}

Answer Tree::List(std::string_view path) {
  const Found found = Resolve(path, Final::kFollow);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.node->kind != Kind::kDirectory) return Refuse(ErrorCode::kNotADirectory);
  Answer answer;
  for (const auto& [name, node] : found.node->entries) {
    if (!IsDenied(name)) answer.value += name + " " + KindName(*node) + "\n";
  }
  return answer;
}

Answer Tree::Stat(std::string_view path) {
  const Found found = Resolve(path, Final::kFollow);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.must_be_directory && found.node->kind != Kind::kDirectory) {
    return Refuse(ErrorCode::kNotADirectory);
  }
  return Answer{{}, false, KindName(*found.node)};
}

Answer Tree::StatLink(std::string_view path) {
  const Found found = Resolve(path, Final::kKeep);
  if (found.refusal.allowed() && found.must_be_directory) return Stat(path);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  return Answer{{}, false, KindName(*found.node)};
}

Answer Tree::Mkdir(std::string_view path) {
  const Found found = ResolveName(path);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node != nullptr) return Refuse(ErrorCode::kAlreadyExists);
  found.chain.back()->entries[found.name] = std::make_shared<Node>();
  return {};
}

Answer Tree::Remove(std::string_view path) {
  const Found found = ResolveName(path);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.must_be_directory && found.node->kind != Kind::kDirectory) {
    return Refuse(ErrorCode::kNotADirectory);
  }
  if (!found.node->entries.empty()) return Refuse(kNotEmpty);
  found.chain.back()->entries.erase(found.name);
  return {};
}

Answer Tree::RemoveAll(std::string_view path) {
  const Found found = ResolveName(path);
  if (!found.refusal.allowed()) return found.refusal;
  if (found.node == nullptr) return Refuse(ErrorCode::kNotFound);
  if (found.must_be_directory && found.node->kind != Kind::kDirectory) {
    return Refuse(ErrorCode::kNotADirectory);
  }
  if (AnyDeniedBelow(*found.node)) return Refuse(ErrorCode::kPathDenied);
  found.chain.back()->entries.erase(found.name);
  return {};
}

Answer Tree::Rename(std::string_view from, std::string_view to) {
  const Found source = ResolveName(from);
  const Found target = ResolveName(to);
  Answer refusal;
  // Whichever end is looked at first may be the one that is named.
  refusal.codes.insert(source.refusal.codes.begin(), source.refusal.codes.end());
  refusal.codes.insert(target.refusal.codes.begin(), target.refusal.codes.end());
  const NodePtr node = source.refusal.allowed() ? source.node : nullptr;
  const bool directory = node != nullptr && node->kind == Kind::kDirectory;
  if (source.refusal.allowed()) {
    if (node == nullptr) {
      refusal.codes.insert(ErrorCode::kNotFound);
    } else if (source.must_be_directory && !directory) {
      refusal.codes.insert(ErrorCode::kNotADirectory);
    }
  }
  if (node != nullptr && target.refusal.allowed() && target.must_be_directory && !directory) {
    refusal.codes.insert(ErrorCode::kNotADirectory);
  }
  if (!refusal.allowed()) return refusal;
  if (target.node == node) return {};
  const bool into_itself =
      std::find(target.chain.begin(), target.chain.end(), node) != target.chain.end();
  if (into_itself) return Refuse({ErrorCode::kInvalidPath, ErrorCode::kInvalidArguments});
  if (target.node != nullptr) {
    const bool onto_directory = target.node->kind == Kind::kDirectory;
    if (directory && !onto_directory) return Refuse(ErrorCode::kNotADirectory);
    if (!target.node->entries.empty()) {
      std::set<ErrorCode> codes = kNotEmpty;
      if (!directory) codes.insert(ErrorCode::kIsADirectory);
      return Refuse(std::move(codes));
    }
    if (!directory && onto_directory) return Refuse(ErrorCode::kIsADirectory);
  }
  source.chain.back()->entries.erase(source.name);
  target.chain.back()->entries[target.name] = node;
  return {};
}

std::string Tree::Dump() const {
  std::string text;
  DumpInto(*root_, "", text);
  return text;
}

}  // namespace cordon::model
