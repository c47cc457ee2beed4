// The structure of a command line, and the only place that calls tree-sitter.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shell/skeleton.h"

namespace cordon::shell {

enum class NodeKind {
  kSequence,   // one after the other
  kList,       // with && and || between them
  kPipeline,   // each reads what the one before writes
  kCommand,    // the item, which is a simple command, a test or arithmetic
  kSubshell,   // in a shell of its own; also what runs in the background
  kChoice,     // if and case: the children are conditions and branches
  kBranch,     // of a choice: runs or does not
  kLoop,       // any number of times
  kFor,        // for each word of the item
  kFunction,   // the item names it, the child is its body
  kRedirected  // the child, with the redirections of the items
};

struct Node {
  NodeKind kind = NodeKind::kSequence;
  std::size_t item = 0;            // kCommand, kFor, kFunction
  std::vector<std::size_t> items;  // kRedirected, kFunction: redirections
  // kList: what stands before each child but the first.
  enum class Link { kAnd, kOr };
  std::vector<Link> links;
  std::vector<Node> children;
};

// A command line that has been read. Items and nodes refer to its text.
struct Script {
  std::string text;
  std::vector<Item> items;
  Node root;
  // What was wrong with it. If there is anything, `root` is no more than the simple
  // commands that could be made out, in their order.
  std::string fault;
};

// Guarantees: bounded time and stack. Whatever `text` holds, there is a script.
std::shared_ptr<const Script> ReadScript(std::string_view text);

}  // namespace cordon::shell
