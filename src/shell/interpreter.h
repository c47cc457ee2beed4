// Goes through a script as a shell would, and notes what would happen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/call.h"
#include "shell/expander.h"
#include "shell/findings.h"
#include "shell/state.h"
#include "shell/syntax.h"

namespace cordon::shell {

// Thread safety: one object serves one thread.
class Interpreter {
 public:
  explicit Interpreter(Findings& findings) : findings_(findings) {}

  // The rest is for what programs do (programs/).

  // Runs `text` as the present shell would, its variables and all.
  Flow RunText(std::string_view text, const Flow& input);
  // A text of which it is not sure that it is known: what is not, is told to be unknown.
  Flow RunCode(const Word& text, const Flow& input, std::string_view by);
  // Runs a program, function or builtin.
  Flow RunWords(const std::vector<Word>& words, const Flow& input);
  // The same by way of another program, whose name is told with it.
  Flow RunThrough(std::string_view by, const std::vector<Word>& words, const Flow& input);

  void Use(Access access, const Word& path, std::string_view by, Extent extent = Extent::kItself);
  // What a word may name, without being sure: for rules alone.
  void Mention(Access access, const Word& path, std::string_view by,
               Extent extent = Extent::kItself);
  // Every word of a code that nobody reads here: what stands in quotes may be a file.
  void MentionCode(const Word& code, std::string_view by);
  void Connect(const Word& target, std::string_view by);
  Findings& findings() { return findings_; }
  State& state() { return state_; }

  // Something runs, and comes back to the state from before: a subshell, another program.
  template <typename Action>
  Flow Apart(Action action) {
    State before = state_;
    Flow flow = action();
    state_ = std::move(before);
    return flow;
  }

 private:
  class Deeper;  // counts how deep texts and functions are nested

  Flow Run(const Script& script, const Node& node, const Flow& input);
  Flow RunCommand(const Script& script, const Item& item, const Flow& input);
  Flow RunSimple(const Item& item, const Flow& input);
  Flow RunSequence(const Script& script, const Node& node, const Flow& input);
  Flow RunList(const Script& script, const Node& node, const Flow& input);
  Flow RunPipeline(const Script& script, const Node& node, const Flow& input);
  Flow RunChoice(const Script& script, const Node& node, const Flow& input);
  Flow RunLoop(const Script& script, const Node& node, const Flow& input);
  Flow RunFor(const Script& script, const Node& node, const Flow& input);
  Flow RunFunction(const Function& function, const std::vector<Word>& words, const Flow& input);
  Flow RunProgram(const std::vector<Word>& words, const Flow& input);
  Flow RunAlias(const Word& alias, const std::vector<Word>& words, const Flow& input);
  void Define(const Script& script, const Node& node);
  void Assign(std::string_view written, Expander& expander);
  // What the command then reads; `output` is set to whether its output still goes on.
  enum class Output { kGoesOn, kGoesToFile };
  Flow Redirect(const Redirection& redirection, Flow input, Expander& expander, Output& output);
  Flow RedirectAll(const std::vector<Redirection>& redirections, Flow input, Output& output);
  bool Spend();

  Findings& findings_;
  State state_;
  std::vector<std::string> through_;
  std::vector<std::shared_ptr<const Script>> running_;  // the scripts nodes refer to
  RunSubstitution substitute_ = [this](std::string_view text) { return Substitute(text); };
  std::optional<Word> Substitute(std::string_view text);

  std::size_t steps_left_ = 20'000;
  std::size_t bytes_left_ = std::size_t{4} << 20;
  int depth_ = 0;
};

}  // namespace cordon::shell
