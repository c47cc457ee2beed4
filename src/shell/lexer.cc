#include "shell/lexer.h"

#include <algorithm>
#include <array>
#include <string>

namespace cordon::shell {
namespace {

constexpr std::array<std::string_view, 22> kReserved = {
    "if",   "then", "elif", "else",     "fi",   "for",    "select", "while", "until", "do", "done",
    "case", "in",   "esac", "function", "time", "coproc", "{",      "}",     "!",     "[[", "]]"};

// Longest first.
constexpr std::array<std::string_view, 12> kOperators = {";;&", "&&", "||", "|&", ";;", ";&",
                                                         ";",   "&",  "|",  "(",  ")",  "\n"};
constexpr std::array<std::string_view, 12> kRedirects = {"&>>", "<<<", "<<-", "<<", "<&", "<>",
                                                         ">>",  ">&",  ">|",  "&>", "<",  ">"};

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A delimiter without its quotes, and whether it had any.
std::string Unquoted(std::string_view delimiter, BodyQuoting& quoting) {
  std::string plain;
  for (std::size_t i = 0; i < delimiter.size(); ++i) {
    const char byte = delimiter[i];
    if (byte == '\'' || byte == '"') {
      quoting = BodyQuoting::kLiteral;
    } else if (byte == '\\' && i + 1 < delimiter.size()) {
      quoting = BodyQuoting::kLiteral;
      plain += delimiter[++i];
    } else {
      plain += byte;
    }
  }
  return plain;
}

}  // namespace

bool IsReservedWord(std::string_view word) {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

std::size_t NameLength(std::string_view text) {
  const auto letter = [](char byte) {
    return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  };
  std::size_t length = 0;
  while (length < text.size() &&
         (letter(text[length]) || (length > 0 && text[length] >= '0' && text[length] <= '9'))) {
    ++length;
  }
  return length;
}

bool IsName(std::string_view text) { return !text.empty() && NameLength(text) == text.size(); }

bool IsAssignment(std::string_view word, std::size_t& value) {
  const std::size_t end = word.find_first_of("=[+");
  if (end == std::string_view::npos || !IsName(word.substr(0, end))) return false;
  std::size_t at = end;
  if (word[at] == '[') {
    at = word.find(']', at);
    if (at == std::string_view::npos) return false;
    ++at;
  }
  if (at < word.size() && word[at] == '+') ++at;
  if (at >= word.size() || word[at] != '=') return false;
  value = at + 1;
  return true;
}

struct Lexer::Pass {
  std::vector<char> open;  // "(" and "c" for case, innermost last
  std::vector<HereText> waiting;
  bool may_begin_command = true;
};

std::optional<std::vector<Token>> Lexer::Tokens() {
  std::vector<Token> tokens;
  if (!Read(0, Until::kEnd, tokens)) return std::nullopt;
  return tokens;
}

std::optional<std::size_t> Lexer::EndOfCommands(std::size_t at) {
  if (++nesting_ > kMaxNesting) return std::nullopt;
  std::vector<Token> tokens;  // read for the sake of their end
  const std::optional<std::size_t> end = Read(at, Until::kParenthesis, tokens);
  --nesting_;
  return end;
}

std::optional<std::size_t> Lexer::Read(std::size_t at, Until until, std::vector<Token>& tokens) {
  Pass pass;
  while (Spend(1)) {
    at = SkipBlanks(at);
    if (at >= text_.size()) {
      if (until == Until::kParenthesis) return std::nullopt;
      return at;
    }
    const char byte = text_[at];
    if (byte == '#') {
      at = std::min(text_.find('\n', at), text_.size());
      continue;
    }
    if (byte == ')' && pass.open.empty() && until == Until::kParenthesis) return at + 1;
    std::optional<std::size_t> next;
    const bool process = (byte == '<' || byte == '>') && At(at + 1) == '(';
    if ((byte == '<' || byte == '>' || Has(at, "&>")) && !process) {
      next = ReadRedirect(at, {}, tokens, pass);
    } else if (byte == ';' || byte == '&' || byte == '|' || byte == '(' || byte == ')' ||
               byte == '\n') {
      next = ReadOperator(at, tokens, pass);
    } else {
      next = ReadWord(at, tokens, pass);
    }
    if (!next) return std::nullopt;
    at = *next;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::ReadWord(std::size_t at, std::vector<Token>& tokens, Pass& pass) {
  std::optional<std::size_t> end = EndOfWord(at);
  if (!end) return std::nullopt;
  Token token;
  token.text = text_.substr(at, *end - at);
  const bool redirects = At(*end) == '<' || At(*end) == '>';
  const bool named = token.text.size() > 2 && token.text.front() == '{' &&
                     token.text.back() == '}' &&
                     IsName(token.text.substr(1, token.text.size() - 2));
  if (redirects && (IsDigits(token.text) || named)) {
    return ReadRedirect(*end, token.text, tokens, pass);
  }
  const bool reserved = pass.may_begin_command && IsReservedWord(token.text);
  if (reserved && token.text == "[[") {
    end = EndOfTest(*end);
    if (!end) return std::nullopt;
    token.kind = TokenKind::kTest;
    token.text = text_.substr(at, *end - at);
  } else if (reserved && token.text == "case") {
    pass.open.push_back('c');
  } else if (reserved && token.text == "esac" && !pass.open.empty() && pass.open.back() == 'c') {
    pass.open.pop_back();
  }
  // "in" of a case: what follows may be its "esac".
  pass.may_begin_command =
      (reserved && token.kind == TokenKind::kWord && token.text != "case" && token.text != "for" &&
       token.text != "select" && token.text != "function") ||
      (token.text == "in" && !pass.open.empty() && pass.open.back() == 'c');
  tokens.push_back(token);
  return end;
}

std::optional<std::size_t> Lexer::ReadOperator(std::size_t at, std::vector<Token>& tokens,
                                               Pass& pass) {
  const bool after_for = !tokens.empty() && tokens.back().text == "for";
  if ((pass.may_begin_command || after_for) && Has(at, "((")) {
    if (const std::optional<std::size_t> end = EndOfArithmetic(at + 2)) {
      tokens.push_back({TokenKind::kArithmetic, text_.substr(at, *end - at), {}, {}, {}});
      pass.may_begin_command = true;  // "do" may follow
      return end;
    }
  }
  for (const std::string_view symbol : kOperators) {
    if (!Has(at, symbol)) continue;
    tokens.push_back({TokenKind::kOperator, text_.substr(at, symbol.size()), {}, {}, {}});
    pass.may_begin_command = true;
    if (symbol == "(") pass.open.push_back('(');
    if (symbol == ")" && !pass.open.empty() && pass.open.back() == '(') pass.open.pop_back();
    if (symbol == "\n") return ReadHereTexts(at + 1, tokens, pass);
    return at + symbol.size();
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::ReadRedirect(std::size_t at, std::string_view descriptor,
                                               std::vector<Token>& tokens, Pass& pass) {
  for (const std::string_view symbol : kRedirects) {
    if (!Has(at, symbol)) continue;
    Token token{TokenKind::kRedirect, text_.substr(at, symbol.size()), descriptor, {}, {}};
    at += symbol.size();
    if (symbol == "<<" || symbol == "<<-") {
      at = SkipBlanks(at);
      const std::optional<std::size_t> end = EndOfWord(at);
      if (!end || *end == at) return std::nullopt;
      token.kind = TokenKind::kHereText;
      pass.waiting.push_back({tokens.size(), text_.substr(at, *end - at), symbol == "<<-"});
      at = *end;
    } else {
      // The target is a word whatever it looks like, but not a command's first.
      at = SkipBlanks(at);
      const std::optional<std::size_t> end = EndOfWord(at);
      if (!end || *end == at) return std::nullopt;
      tokens.push_back(token);
      token = {TokenKind::kWord, text_.substr(at, *end - at), {}, {}, {}};
      at = *end;
    }
    tokens.push_back(token);
    return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::ReadHereTexts(std::size_t at, std::vector<Token>& tokens,
                                                Pass& pass) {
  for (const HereText& here : pass.waiting) {
    BodyQuoting quoting = BodyQuoting::kExpanded;
    const std::string delimiter = Unquoted(here.delimiter, quoting);
    const std::size_t begin = std::min(at, text_.size());
    std::size_t body_end = text_.size();  // without a delimiter, it ends with the text
    while (at < text_.size()) {
      const std::size_t line_end = std::min(text_.find('\n', at), text_.size());
      std::string_view line = text_.substr(at, line_end - at);
      if (here.strip_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      body_end = at;
      at = line_end + 1;
      if (line == delimiter) break;
      body_end = text_.size();
    }
    tokens[here.token].body = text_.substr(begin, body_end - begin);
    tokens[here.token].quoting = quoting;
  }
  pass.waiting.clear();
  return std::min(at, text_.size());
}

}  // namespace cordon::shell
