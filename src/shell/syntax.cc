#include "shell/syntax.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace cordon::shell {
namespace {

constexpr std::uint64_t kParseMicroseconds = 1'000'000;
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxItems = 20'000;

Node Made(NodeKind kind, std::size_t item = 0) {
  Node node;
  node.kind = kind;
  node.item = item;
  return node;
}

struct DeleteParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct DeleteTree {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, DeleteTree>;

Tree Parse(const std::string& text) {
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), tree_sitter_bash())) return nullptr;
  ts_parser_set_timeout_micros(parser.get(), kParseMicroseconds);
  return Tree(ts_parser_parse_string(parser.get(), nullptr, text.data(),
                                     static_cast<std::uint32_t>(text.size())));
}

// Turns the tree of a skeleton into nodes. Each item must turn up exactly once, in order:
// then nothing that was written has been passed over.
class Reader {
 public:
  explicit Reader(const Skeleton& skeleton) : skeleton_(skeleton) {}

  std::optional<Node> Read(TSNode root) {
    Node node = Sequence(root, 0);
    if (failed_ || next_item_ != skeleton_.items.size()) return std::nullopt;
    return node;
  }

 private:
  using Children = std::vector<TSNode>;

  static std::string_view Type(TSNode node) { return ts_node_type(node); }

  std::string_view Text(TSNode node) const {
    const std::uint32_t begin = ts_node_start_byte(node);
    return std::string_view(skeleton_.text).substr(begin, ts_node_end_byte(node) - begin);
  }

  // By cursor: asking for children by number takes time in the square of their number.
  static Children ChildrenOf(TSNode node) {
    Children children;
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      do {
        children.push_back(ts_tree_cursor_current_node(&cursor));
      } while (ts_tree_cursor_goto_next_sibling(&cursor));
    }
    ts_tree_cursor_delete(&cursor);
    return children;
  }

  Node Fail() {
    failed_ = true;
    return {};
  }

  // The number in "c12", if it is the next one.
  std::size_t TakeItem(TSNode node) {
    const std::string_view text = Text(node);
    std::size_t number = 0;
    if (text.size() < 2 || text.front() != 'c') {
      failed_ = true;
      return 0;
    }
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number != next_item_) {
      failed_ = true;
      return 0;
    }
    ++next_item_;
    return number;
  }

  static bool IsStatement(TSNode node) {
    constexpr std::string_view kStatements[] = {
        "command",
        "list",
        "pipeline",
        "subshell",
        "compound_statement",
        "if_statement",
        "do_group",
        "for_statement",
        "while_statement",
        "case_statement",
        "elif_clause",
        "else_clause",
        "case_item",
        "function_definition",
        "redirected_statement",
    };
    for (const std::string_view type : kStatements) {
      if (Type(node) == type) return true;
    }
    return false;
  }

  Node Sequence(TSNode parent, int depth) {
    Node sequence;
    for (const TSNode child : ChildrenOf(parent)) {
      if (failed_) return {};
      if (Type(child) == "&" && !sequence.children.empty()) {
        Node background = Made(NodeKind::kSubshell);
        background.children.push_back(std::move(sequence.children.back()));
        sequence.children.back() = std::move(background);
      } else if (IsStatement(child)) {
        sequence.children.push_back(Statement(child, depth + 1));
      }
    }
    return sequence;
  }

  Node Of(NodeKind kind, TSNode node, int depth) {
    Node made = Sequence(node, depth);
    made.kind = kind;
    return made;
  }

  Node Statement(TSNode node, int depth) {
    if (failed_ || depth > kMaxDepth) return Fail();
    const std::string_view type = Type(node);
    if (type == "command") return Command(node);
    if (type == "list") return List(node, depth);
    if (type == "pipeline") return Of(NodeKind::kPipeline, node, depth);
    if (type == "compound_statement" || type == "do_group") return Sequence(node, depth);
    if (type == "if_statement" || type == "case_statement") return Choice(node, depth);
    if (type == "elif_clause" || type == "else_clause" || type == "case_item") {
      return Of(NodeKind::kBranch, node, depth);
    }
    if (type == "while_statement") return Of(NodeKind::kLoop, node, depth);
    if (type == "for_statement") return WithItem(NodeKind::kFor, node, depth);
    if (type == "function_definition") return Function(node, depth);
    if (type == "redirected_statement") return Redirected(node, depth);
    if (type == "subshell") {
      Node shell = Made(NodeKind::kSubshell);
      shell.children.push_back(Sequence(node, depth));
      return shell;
    }
    return Fail();
  }

  Node Command(TSNode node) {
    const Children parts = ChildrenOf(node);
    if (parts.size() != 1) return Fail();
    return Made(NodeKind::kCommand, TakeItem(parts.front()));
  }

  // "a && b || c" is a list in a list; one of a thousand links must not nest a thousand deep.
  Node List(TSNode node, int depth) {
    const auto parts_of = [](TSNode list) {
      Children parts = ChildrenOf(list);
      std::erase_if(parts, [](TSNode part) {
        return !IsStatement(part) && Type(part) != "&&" && Type(part) != "||";
      });
      return parts;
    };
    std::vector<Children> spine{parts_of(node)};
    while (spine.back().size() == 3 && Type(spine.back().front()) == "list") {
      spine.push_back(parts_of(spine.back().front()));
    }
    Node list = Made(NodeKind::kList);
    for (std::size_t level = spine.size(); level-- > 0;) {
      const Children& parts = spine[level];
      if (parts.size() != 3) return Fail();
      if (level + 1 == spine.size()) list.children.push_back(Statement(parts[0], depth + 1));
      list.links.push_back(Type(parts[1]) == "||" ? Node::Link::kOr : Node::Link::kAnd);
      list.children.push_back(Statement(parts[2], depth + 1));
    }
    return list;
  }

  Node Choice(TSNode node, int depth) {
    Node choice = Made(NodeKind::kChoice);
    // The condition and the first branch stand side by side: what runs first runs always.
    Node first = Made(NodeKind::kBranch);
    const bool is_case = Type(node) == "case_statement";
    for (const TSNode child : ChildrenOf(node)) {
      if (is_case && Type(child) == "word") {
        choice.children.push_back(Made(NodeKind::kCommand, TakeItem(child)));
      } else if (IsStatement(child)) {
        Node made = Statement(child, depth + 1);
        if (made.kind == NodeKind::kBranch) {
          if (!first.children.empty()) choice.children.push_back(std::exchange(first, {}));
          choice.children.push_back(std::move(made));
        } else {
          first.kind = NodeKind::kBranch;
          first.children.push_back(std::move(made));
        }
      }
    }
    if (!first.children.empty()) choice.children.push_back(std::move(first));
    return choice;
  }

  Node WithItem(NodeKind kind, TSNode node, int depth) {
    std::size_t item = 0;
    bool found = false;
    for (const TSNode child : ChildrenOf(node)) {
      if (!found && (Type(child) == "word" || Type(child) == "variable_name")) {
        item = TakeItem(child);
        found = true;
      }
    }
    if (!found) return Fail();
    Node made = Of(kind, node, depth);
    made.item = item;
    return made;
  }

  Node Function(TSNode node, int depth) {
    Node function = WithItem(NodeKind::kFunction, node, depth);
    for (const TSNode child : ChildrenOf(node)) {
      if (Type(child) == "file_redirect") function.items.push_back(RedirectItem(child));
    }
    return function;
  }

  Node Redirected(TSNode node, int depth) {
    Node redirected = Made(NodeKind::kRedirected);
    for (const TSNode child : ChildrenOf(node)) {
      if (Type(child) == "file_redirect") {
        redirected.items.push_back(RedirectItem(child));
      } else if (IsStatement(child)) {
        redirected.children.push_back(Statement(child, depth + 1));
      }
    }
    return redirected;
  }

  std::size_t RedirectItem(TSNode node) {
    const Children parts = ChildrenOf(node);
    if (parts.size() != 2) {
      failed_ = true;
      return 0;
    }
    return TakeItem(parts.back());
  }

  const Skeleton& skeleton_;
  std::size_t next_item_ = 0;
  bool failed_ = false;
};

// bash joins lines before it looks for operators; the lexer does not look inside those.
bool BreaksAnOperator(std::string_view text) {
  for (std::size_t at = text.find("\\\n"); at != std::string_view::npos;
       at = text.find("\\\n", at + 2)) {
    if (at == 0 || at + 2 >= text.size()) continue;
    constexpr std::string_view kSymbols = "<>&|;()-{$`'\"!";
    const bool before = std::string_view("<>&|;").find(text[at - 1]) != std::string_view::npos;
    if (text[at - 1] == '$' || text[at - 1] == '\\') return true;
    if (before && kSymbols.substr(0, 8).find(text[at + 2]) != std::string_view::npos) return true;
  }
  return false;
}

void Disassemble(Script& script) {
  script.root = {};
  for (std::size_t i = 0; i < script.items.size(); ++i) {
    const ItemKind kind = script.items[i].kind;
    if (kind == ItemKind::kFunction) continue;
    script.root.children.push_back(Made(NodeKind::kCommand, i));
  }
}

}  // namespace

std::shared_ptr<const Script> ReadScript(std::string_view text) {
  auto script = std::make_shared<Script>();
  script->text = text;
  const std::optional<std::vector<Token>> tokens = Lexer(script->text).Tokens();
  if (!tokens) {
    script->fault = "a quote or bracket is not closed, or nested too deep";
    return script;
  }
  std::optional<Skeleton> skeleton = BuildSkeleton(*tokens);
  if (!skeleton || skeleton->items.size() > kMaxItems) {
    script->fault = skeleton ? "it has too many parts" : "a word is missing";
    if (!skeleton) return script;
  }
  if (script->fault.empty()) {
    const Tree tree = Parse(skeleton->text);
    std::optional<Node> root;
    if (tree != nullptr && !ts_node_has_error(ts_tree_root_node(tree.get()))) {
      root = Reader(*skeleton).Read(ts_tree_root_node(tree.get()));
    }
    if (root) {
      script->root = std::move(*root);
    } else {
      script->fault = "it is not a command line that the grammar knows";
    }
    if (root && BreaksAnOperator(script->text)) {
      script->fault = "a line break stands inside an operator";
    }
  }
  skeleton->items.resize(std::min(skeleton->items.size(), kMaxItems));
  script->items = std::move(skeleton->items);
  if (!script->fault.empty()) Disassemble(*script);
  return script;
}

}  // namespace cordon::shell
