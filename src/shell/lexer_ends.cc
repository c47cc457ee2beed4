// Where quotes, substitutions and words end.
#include "shell/lexer.h"

namespace cordon::shell {
namespace {

bool IsMeta(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == ';' || byte == '&' || byte == '|' ||
         byte == '(' || byte == ')' || byte == '<' || byte == '>';
}

}  // namespace

std::optional<std::size_t> Lexer::EndOfSingleQuotes(std::size_t at) {
  const std::size_t end = text_.find('\'', at);
  if (end == std::string_view::npos || !Spend(1 + (end - at) / 16)) return std::nullopt;
  return end + 1;
}

std::optional<std::size_t> Lexer::EndOfAnsiQuotes(std::size_t at) {
  for (; at < text_.size() && Spend(1); ++at) {
    if (text_[at] == '\\') {
      ++at;
    } else if (text_[at] == '\'') {
      return at + 1;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfBackquotes(std::size_t at) {
  for (; at < text_.size() && Spend(1); ++at) {
    if (text_[at] == '\\') {
      ++at;
    } else if (text_[at] == '`') {
      return at + 1;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfDoubleQuotes(std::size_t at) {
  while (at < text_.size() && Spend(1)) {
    const char byte = text_[at];
    if (byte == '"') return at + 1;
    if (byte == '\\') {
      at += 2;
      continue;
    }
    // Single quotes mean nothing here, so $' is no quote either.
    const bool plain = byte == '$' && (At(at + 1) == '\'' || At(at + 1) == '"');
    const std::optional<std::size_t> end = plain ? at : EndOfExpansion(at);
    if (!end) return std::nullopt;
    at = *end == at ? at + 1 : *end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfParameter(std::size_t at) {
  while (at < text_.size() && Spend(1)) {
    const char byte = text_[at];
    if (byte == '}') return at + 1;
    std::optional<std::size_t> end = at + 1;
    if (byte == '\\') {
      end = at + 2;
    } else if (byte == '\'') {
      end = EndOfSingleQuotes(at + 1);
    } else if (byte == '"') {
      if (++nesting_ > kMaxNesting) return std::nullopt;
      end = EndOfDoubleQuotes(at + 1);
      --nesting_;
    } else if (byte == '$' || byte == '`') {
      end = EndOfExpansion(at);
      if (end && *end == at) ++*end;
    }
    if (!end) return std::nullopt;
    at = *end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfArithmetic(std::size_t at) {
  std::size_t open = 0;
  while (at < text_.size() && Spend(1)) {
    const char byte = text_[at];
    std::optional<std::size_t> end = at + 1;
    if (byte == '(') {
      ++open;
    } else if (byte == ')' && open > 0) {
      --open;
    } else if (byte == ')') {
      if (At(at + 1) != ')') return std::nullopt;
      return at + 2;
    } else if (byte == '\\') {
      end = at + 2;
    } else if (byte == '\'') {
      end = EndOfSingleQuotes(at + 1);
    } else if (byte == '"') {
      end = EndOfDoubleQuotes(at + 1);
    } else if (byte == '$' || byte == '`') {
      end = EndOfExpansion(at);
      if (end && *end == at) ++*end;
    }
    if (!end) return std::nullopt;
    at = *end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfOldArithmetic(std::size_t at) {
  std::size_t open = 0;
  while (at < text_.size() && Spend(1)) {
    if (text_[at] == '[') ++open;
    if (text_[at] == ']' && open-- == 0) return at + 1;
    const std::optional<std::size_t> end = EndOfExpansion(at);
    if (!end) return std::nullopt;
    at = *end == at ? at + 1 : *end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Lexer::EndOfExpansion(std::size_t at) {
  if (At(at) == '`') return EndOfBackquotes(at + 1);
  if (At(at) != '$') return at;
  // "$$(" is the number of the process and a parenthesis.
  if (at + 1 < text_.size() &&
      std::string_view("$@*#?-!0123456789").find(text_[at + 1]) != std::string_view::npos) {
    return at + 2;
  }
  if (++nesting_ > kMaxNesting) return std::nullopt;
  std::optional<std::size_t> end = at;
  if (Has(at, "$((")) {
    end = EndOfArithmetic(at + 3);
    if (!end) end = EndOfCommands(at + 2);  // $( (list) ) without the blanks
  } else if (Has(at, "$(")) {
    end = EndOfCommands(at + 2);
  } else if (Has(at, "${")) {
    end = EndOfParameter(at + 2);
  } else if (Has(at, "$[")) {
    end = EndOfOldArithmetic(at + 2);
  } else if (Has(at, "$'")) {
    end = EndOfAnsiQuotes(at + 2);
  } else if (Has(at, "$\"")) {
    end = EndOfDoubleQuotes(at + 2);
  }
  --nesting_;
  return end;
}

std::optional<std::size_t> Lexer::EndOfWord(std::size_t at) {
  const std::size_t begin = at;
  while (at < text_.size() && Spend(1)) {
    const char byte = text_[at];
    std::optional<std::size_t> end = at + 1;
    std::size_t value = 0;
    if ((byte == '<' || byte == '>') && At(at + 1) == '(') {
      end = EndOfCommands(at + 2);
    } else if (byte == '(' && at > begin && IsAssignment(text_.substr(begin, at - begin), value) &&
               begin + value == at) {
      end = EndOfCommands(at + 1);  // an array
    } else if (IsMeta(byte)) {
      return at;
    } else if (byte == '\\') {
      end = at + 2 < text_.size() ? at + 2 : text_.size();
    } else if (byte == '\'') {
      end = EndOfSingleQuotes(at + 1);
    } else if (byte == '"') {
      end = EndOfDoubleQuotes(at + 1);
    } else if (byte == '$' || byte == '`') {
      end = EndOfExpansion(at);
      if (end && *end == at) ++*end;
    }
    if (!end) return std::nullopt;
    at = *end;
  }
  if (at < text_.size()) return std::nullopt;  // too much work
  return at;
}

std::optional<std::size_t> Lexer::EndOfTest(std::size_t at) {
  while (Spend(1)) {
    at = SkipBlanks(at);
    if (at >= text_.size()) return std::nullopt;
    if (Has(at, "]]") && (at + 2 == text_.size() || IsMeta(text_[at + 2]))) return at + 2;
    const std::optional<std::size_t> end = EndOfWord(at);
    if (!end) return std::nullopt;
    at = *end == at ? at + 1 : *end;
  }
  return std::nullopt;
}

std::size_t Lexer::SkipBlanks(std::size_t at) const {
  while (at < text_.size()) {
    if (text_[at] == ' ' || text_[at] == '\t') {
      ++at;
    } else if (Has(at, "\\\n")) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace cordon::shell
