#include "shell/interpreter.h"

#include <utility>

namespace cordon::shell {
namespace {

constexpr int kMaxTexts = 12;  // sh -c in sh -c, functions in functions
constexpr int kMaxPasses = 3;  // through a loop, until nothing new is learnt
constexpr std::size_t kMaxRounds = 64;
constexpr std::size_t kMaxShown = 200;

Flow Both(Flow first, const Flow& second) {
  if (first.kind == Flow::Kind::kNetwork || second.kind == Flow::Kind::kNetwork) {
    return Flow::Network();
  }
  if (first.kind == Flow::Kind::kNothing) return second;
  if (second.kind == Flow::Kind::kNothing) return first;
  return Flow::Unknown();
}

}  // namespace

class Interpreter::Deeper {
 public:
  explicit Deeper(Interpreter& interpreter) : interpreter_(interpreter) { ++interpreter_.depth_; }
  ~Deeper() { --interpreter_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool TooDeep() const { return interpreter_.depth_ > kMaxTexts; }

 private:
  Interpreter& interpreter_;
};

bool Interpreter::Spend() {
  if (steps_left_ == 0) return false;
  if (--steps_left_ == 0) {
    findings_.DontKnow("", "it does too much to be followed to its end", "too-much", Risk::kHigh);
  }
  return steps_left_ > 0;
}

Flow Interpreter::RunText(std::string_view text, const Flow& input) {
  const Deeper deeper(*this);
  if (deeper.TooDeep() || text.size() > bytes_left_) {
    findings_.DontKnow(text.substr(0, kMaxShown), "it is nested too deep, or too much, to be read",
                       "too-much", Risk::kHigh);
    return Flow::Unknown();
  }
  bytes_left_ -= text.size();
  const std::shared_ptr<const Script> script = ReadScript(text);
  if (!script->fault.empty()) {
    findings_.DontKnow(text.substr(0, kMaxShown), script->fault, "unreadable", Risk::kHigh);
  }
  running_.push_back(script);
  Flow output = Run(*script, script->root, input);
  running_.pop_back();
  return output;
}

Flow Interpreter::RunCode(const Word& text, const Flow& input, std::string_view by) {
  // The home directory is told as "~", which the code would have to spell as the shell does.
  std::string code;
  bool known = text.exact();
  for (std::size_t i = 0; i < text.size() && known; ++i) {
    const Mark mark = text.mark(i);
    if (mark == Mark::kLiteral) {
      code += text.text()[i];
    } else {
      code += mark == Mark::kHome ? "${HOME}" : "${PWD}";
      known = text.text().find('\'') == std::string::npos &&
              (mark == Mark::kHome || (state_.directory && state_.directory->empty()));
    }
  }
  if (known) return RunText(code, input);
  std::string why(by);
  why += " runs it, and it is not known";
  findings_.DontKnow(std::string_view(text.text()).substr(0, kMaxShown), why, "unknown-code",
                     Risk::kHigh);
  return Flow::Unknown();
}

std::optional<Word> Interpreter::Substitute(std::string_view text) {
  const Flow flow = Apart([&] { return RunText(text, Flow::Unknown()); });
  if (flow.kind != Flow::Kind::kText) return std::nullopt;
  std::size_t end = flow.text.size();
  while (end > 0 && flow.text.text()[end - 1] == '\n') --end;
  return flow.text.Sub(0, end);
}

Flow Interpreter::Run(const Script& script, const Node& node, const Flow& input) {
  if (state_.ended || !Spend()) return Flow::Unknown();
  switch (node.kind) {
    case NodeKind::kSequence:
    case NodeKind::kBranch: return RunSequence(script, node, input);
    case NodeKind::kList: return RunList(script, node, input);
    case NodeKind::kPipeline: return RunPipeline(script, node, input);
    case NodeKind::kCommand: return RunCommand(script, script.items[node.item], input);
    case NodeKind::kSubshell: return Apart([&] { return RunSequence(script, node, input); });
    case NodeKind::kChoice: return RunChoice(script, node, input);
    case NodeKind::kLoop: return RunLoop(script, node, input);
    case NodeKind::kFor: return RunFor(script, node, input);
    case NodeKind::kFunction: Define(script, node); return {};
    case NodeKind::kRedirected: break;
  }
  Output output = Output::kGoesOn;
  Flow changed = input;
  for (const std::size_t item : node.items) {
    changed = RedirectAll(script.items[item].redirections, std::move(changed), output);
  }
  Flow flow = RunSequence(script, node, changed);
  return output == Output::kGoesOn ? flow : Flow();
}

Flow Interpreter::RunSequence(const Script& script, const Node& node, const Flow& input) {
  Flow flow;
  for (const Node& child : node.children) flow = Both(std::move(flow), Run(script, child, input));
  return flow;
}

Flow Interpreter::RunList(const Script& script, const Node& node, const Flow& input) {
  Flow flow;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0 && node.links[i - 1] == Node::Link::kOr) {
      // Runs if what stands before failed; what follows may find either state.
      State before = state_;
      flow = Both(std::move(flow), Run(script, node.children[i], input));
      before.MergeFrom(state_);
      state_ = std::move(before);
    } else {
      flow = Both(std::move(flow), Run(script, node.children[i], input));
    }
  }
  return flow;
}

Flow Interpreter::RunPipeline(const Script& script, const Node& node, const Flow& input) {
  Flow flow = input;
  for (const Node& child : node.children) {
    flow = Apart([&] { return Run(script, child, flow); });
    if (flow.kind == Flow::Kind::kNothing) flow = Flow::Unknown();
  }
  return flow;
}

Flow Interpreter::RunChoice(const Script& script, const Node& node, const Flow& input) {
  Flow flow;
  const State before = state_;
  State after = state_;
  for (const Node& child : node.children) {
    state_ = before;
    flow = Both(std::move(flow), Run(script, child, input));
    after.MergeFrom(state_);
  }
  state_ = std::move(after);
  return flow;
}

Flow Interpreter::RunLoop(const Script& script, const Node& node, const Flow& input) {
  Flow flow;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    State before = state_;
    flow = Both(std::move(flow), RunSequence(script, node, input));
    const bool learnt =
        before.variables != state_.variables || before.directory != state_.directory;
    before.MergeFrom(state_);
    state_ = std::move(before);
    if (!learnt || steps_left_ == 0) break;
  }
  return flow;
}

Flow Interpreter::RunFor(const Script& script, const Node& node, const Flow& input) {
  const Item& item = script.items[node.item];
  const std::string name(item.words.front());
  Expander expander(state_, substitute_);
  std::vector<Word> values;
  bool known = item.kind == ItemKind::kFor || state_.arguments.has_value();
  if (item.kind == ItemKind::kForArguments && known) values = *state_.arguments;
  for (std::size_t i = 1; i < item.words.size() && known; ++i) {
    for (Word& word : expander.Words(item.words[i])) values.push_back(std::move(word));
    known = values.size() <= kMaxRounds;
  }
  State after = state_;
  Flow flow;
  for (std::size_t round = 0; known && round < values.size(); ++round) {
    state_.Assign(name, values[round]);
    flow = Both(std::move(flow), RunSequence(script, node, input));
    after.MergeFrom(state_);
    if (state_.ended) state_ = after;
  }
  if (!known) {
    state_.Assign(name, std::nullopt);
    flow = RunLoop(script, node, input);
    after.MergeFrom(state_);
  }
  state_ = std::move(after);
  return flow;
}

void Interpreter::Define(const Script& script, const Node& node) {
  Expander expander(state_, substitute_);
  const std::string name = expander.One(script.items[node.item].words.front()).text();
  // The script is the innermost that is being run.
  state_.functions[name] = {running_.back(), &node};
}

Flow Interpreter::RunFunction(const Function& function, const std::vector<Word>& words,
                              const Flow& input) {
  const Deeper deeper(*this);
  if (deeper.TooDeep()) {
    findings_.DontKnow(words.front().text(), "functions call each other too deep to be followed",
                       "too-much", Risk::kHigh);
    return Flow::Unknown();
  }
  std::optional<std::vector<Word>> outer =
      std::exchange(state_.arguments, std::vector<Word>(words.begin() + 1, words.end()));
  const Function held = function;  // it may define itself anew
  running_.push_back(held.script);
  Output output = Output::kGoesOn;
  Flow changed = input;
  for (const std::size_t item : held.body->items) {
    changed = RedirectAll(held.script->items[item].redirections, std::move(changed), output);
  }
  Flow flow = RunSequence(*held.script, *held.body, changed);
  running_.pop_back();
  state_.arguments = std::move(outer);
  state_.ended = false;  // return ends the function alone; exit is taken for it
  return output == Output::kGoesOn ? flow : Flow();
}

}  // namespace cordon::shell
