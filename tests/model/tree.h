// A file tree in memory and what confined operations on it must answer: slow,
// plain, and written from the contract alone, without a look at src/confine.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/error.h"

namespace cordon::model {

enum class Kind { kDirectory, kFile, kLink, kSpecial };

struct Node {
  Kind kind = Kind::kDirectory;
  std::string text;  // a file's content, a link's target
  int names = 1;     // how many names the file has, outside ones included
  std::map<std::string, std::shared_ptr<Node>> entries;
};
using NodePtr = std::shared_ptr<Node>;

// What an operation must answer. Where the contract leaves open which of several
// mistakes in one request is named, `codes` holds each of them.
struct Answer {
  std::set<ErrorCode> codes;  // empty: allowed
  bool hard_link = false;     // refused because the file has a second name
  std::string value;          // content, listing or type, if allowed

  bool allowed() const { return codes.empty() && !hard_link; }
  bool Admits(ErrorCode code) const { return hard_link || codes.contains(code); }
};

class Tree {
 public:
  // `spellings`: absolute paths by which the root is known.
  explicit Tree(std::vector<std::string> spellings);

  // Building; missing parents are made, links on the way are followed.
  void Put(std::string_view path, NodePtr node);
  // The same, but every parent is a directory that is there.
  void PutHere(std::string_view path, NodePtr node);
  NodePtr Find(std::string_view path);  // follows links; null if there is nothing

  // The operations of confine::Root under the strict profile with default rules.
  Answer Read(std::string_view path);
  Answer Write(std::string_view path, std::string_view content);  // must exist
  // Also how a file is replaced.
  Answer Create(std::string_view path, std::string_view content);
  Answer CreateExclusive(std::string_view path, std::string_view content);
  Answer Append(std::string_view path, std::string_view content);
  Answer List(std::string_view path);
  Answer Stat(std::string_view path);
  Answer StatLink(std::string_view path);
  Answer Mkdir(std::string_view path);
  Answer Remove(std::string_view path);
  Answer RemoveAll(std::string_view path);
  Answer Rename(std::string_view from, std::string_view to);
  // No answer where the contract does not decide.
  std::optional<Answer> ReadLink(std::string_view path);
  std::optional<Answer> MkdirAll(std::string_view path);
  std::optional<Answer> Symlink(std::string_view target, std::string_view path);

  // Every path with its kind and text, one a line, in byte order.
  std::string Dump() const;
  NodePtr root() const { return root_; }

 private:
  // What to do with a link, or with nothing, at the end of the path.
  enum class Final { kFollow, kKeep };
  // What becomes of the content that a file has already.
  enum class Existing { kDropped, kKept };
  struct Found {
    Answer refusal;              // not allowed(): the rest means nothing
    std::vector<NodePtr> chain;  // from the root to the directory that holds `name`
    std::string name;            // empty: the root, or a path that ends in ".."
    NodePtr node;                // null: nothing is there
    bool must_be_directory = false;
  };

  Found Resolve(std::string_view path, Final final);
  Found Walk(std::deque<std::string> pending, Found found, Final final);
  // For operations on a name: refuses the root and paths that end in "..".
  Found ResolveName(std::string_view path);
  bool StripRoot(std::string_view absolute, std::string& rest) const;
  Answer Make(std::string_view path, std::string_view content, Existing existing);
  Answer MakeFile(const Found& found, std::string_view path, std::string_view content,
                  Existing existing);

  std::vector<std::string> spellings_;
  NodePtr root_;
};

// True if a default deny rule covers a component of this name.
bool IsDenied(std::string_view component);

}  // namespace cordon::model
