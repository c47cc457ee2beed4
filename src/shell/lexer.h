// Cuts a command line into words and operators, as bash does it.
//
// The grammar of tree-sitter-bash is for colouring text: where quoting gets odd it cuts
// words elsewhere than a shell. Words are where the tricks are, so they are cut here, and
// the grammar is given only what stands around them (skeleton.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace cordon::shell {

enum class TokenKind {
  kWord,        // as written, quotes and all
  kOperator,    // ; & | && || ( ) and the like; a newline is "\n"
  kRedirect,    // <, >>, &> and the like; its target is the word that follows
  kHereText,    // << and <<-, with its body
  kTest,        // [[ ... ]]
  kArithmetic,  // (( ... ))
};

enum class BodyQuoting { kExpanded, kLiteral };

struct Token {
  TokenKind kind = TokenKind::kWord;
  std::string_view text;        // of a redirection: the operator alone
  std::string_view descriptor;  // of a redirection: "2", "{name}" or nothing
  std::string_view body;        // of a here-document, between its delimiters
  BodyQuoting quoting = BodyQuoting::kExpanded;
};

// Deepest nesting of substitutions and quotes that is followed.
inline constexpr int kMaxNesting = 40;

// Guarantees: ends in time linear in the text, whatever it holds; what it returns refers
//   to `text`.
// Thread safety: one object serves one thread.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text), steps_left_(64 * text.size() + 4096) {}

  // The tokens of the whole text; nothing if a quote or bracket is not closed, or if it is
  // nested too deep.
  std::optional<std::vector<Token>> Tokens();

  // Each takes the place after the opening and gives the place after the closing; nothing
  // if there is none.
  std::optional<std::size_t> EndOfSingleQuotes(std::size_t at);
  std::optional<std::size_t> EndOfAnsiQuotes(std::size_t at);     // after $'
  std::optional<std::size_t> EndOfDoubleQuotes(std::size_t at);   // after "
  std::optional<std::size_t> EndOfBackquotes(std::size_t at);     // after `
  std::optional<std::size_t> EndOfParameter(std::size_t at);      // after ${
  std::optional<std::size_t> EndOfCommands(std::size_t at);       // after $( or <(
  std::optional<std::size_t> EndOfArithmetic(std::size_t at);     // after $(( or ((
  std::optional<std::size_t> EndOfOldArithmetic(std::size_t at);  // after $[
  // If something that begins with "$" or "`" begins at `at`, its end; `at` if nothing does.
  std::optional<std::size_t> EndOfExpansion(std::size_t at);

 private:
  enum class Until { kEnd, kParenthesis };
  struct Pass;  // what is kept while tokens are read
  struct HereText {
    std::size_t token;
    std::string_view delimiter;  // as written
    bool strip_tabs;
  };

  std::optional<std::size_t> Read(std::size_t at, Until until, std::vector<Token>& tokens);
  std::optional<std::size_t> ReadWord(std::size_t at, std::vector<Token>& tokens, Pass& pass);
  std::optional<std::size_t> ReadOperator(std::size_t at, std::vector<Token>& tokens, Pass& pass);
  std::optional<std::size_t> ReadRedirect(std::size_t at, std::string_view descriptor,
                                          std::vector<Token>& tokens, Pass& pass);
  std::optional<std::size_t> ReadHereTexts(std::size_t at, std::vector<Token>& tokens, Pass& pass);
  std::optional<std::size_t> EndOfWord(std::size_t at);
  std::optional<std::size_t> EndOfTest(std::size_t at);
  std::size_t SkipBlanks(std::size_t at) const;
  char At(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  bool Has(std::size_t at, std::string_view piece) const {
    return text_.substr(at < text_.size() ? at : text_.size(), piece.size()) == piece;
  }

  // "$((" may be arithmetic or a subshell, and is read twice when it is not the first: a
  // text made of such would take twice as long for every level.
  bool Spend(std::size_t steps) {
    steps_left_ -= steps < steps_left_ ? steps : steps_left_;
    return steps_left_ > 0;
  }

  std::string_view text_;
  std::size_t steps_left_;
  int nesting_ = 0;
};

// The words of the text that are operators only where a command may begin.
bool IsReservedWord(std::string_view word);
// True for NAME=, NAME+= and NAME[...]= at the beginning; `value` is then set to the place
// after the "=".
bool IsAssignment(std::string_view word, std::size_t& value);
bool IsName(std::string_view text);
// How many bytes of `text`, from its beginning, make a name.
std::size_t NameLength(std::string_view text);

}  // namespace cordon::shell
