// Turns words as they are written into what a program would be given.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "shell/lexer.h"
#include "shell/quoting.h"
#include "shell/state.h"
#include "shell/word.h"

namespace cordon::shell {

// Runs the commands of a substitution, and tells what they print if that is known.
using RunSubstitution = std::function<std::optional<Word>(std::string_view commands)>;

// Guarantees: every substitution in the text is handed to `run`, also those whose value
//   does not matter.
// Thread safety: one object serves one thread.
class Expander {
 public:
  Expander(State& state, const RunSubstitution& run) : state_(state), run_(run) {}

  // The words one word becomes: none, one or several.
  std::vector<Word> Words(std::string_view written);
  // The same without splitting and braces, as in assignments and redirections.
  Word One(std::string_view written);
  // The body of a here-document, or what stands in [[ ]] and (( )).
  Word Body(std::string_view written);
  // What the shell computes with: it follows names into their values, and runs what
  // substitutions it finds there.
  void Arithmetic(std::string_view written);

 private:
  enum class Quotes { kNone, kDouble, kBody };
  enum class Splitting { kYes, kNo };
  struct Fields;

  void Expand(std::string_view text, Quotes quotes, Splitting splitting, Fields& fields);
  std::size_t ExpandQuoted(std::string_view text, std::size_t at, Splitting splitting,
                           Fields& fields);
  std::size_t ExpandDollar(std::string_view text, std::size_t at, Quotes quotes,
                           Splitting splitting, Fields& fields);
  void AddValue(const std::optional<Word>& value, std::string_view written, Quotes quotes,
                Splitting splitting, Fields& fields);
  void AddTilde(std::string_view text, std::size_t& at, Fields& fields);
  std::optional<Word> Parameter(std::string_view inside);
  std::optional<Word> ParameterWith(std::string_view name, std::string_view operation);
  std::optional<Word> Variable(std::string_view name);
  // Substitutions in a text whose value does not matter.
  void RunInside(std::string_view text);

  State& state_;
  const RunSubstitution& run_;
  int depth_ = 0;
};

}  // namespace cordon::shell
