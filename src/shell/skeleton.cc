#include "shell/skeleton.h"

#include <utility>

namespace cordon::shell {
namespace {

class Builder {
 public:
  explicit Builder(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::optional<Skeleton> Build() {
    while (!failed_ && at_ < tokens_.size()) Step();
    if (failed_) return std::nullopt;
    return std::move(out_);
  }

 private:
  const Token* Peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  bool IsOperator(std::size_t ahead, std::string_view text) const {
    const Token* token = Peek(ahead);
    return token != nullptr && token->kind == TokenKind::kOperator && token->text == text;
  }
  bool IsWord(std::size_t ahead, std::string_view text) const {
    const Token* token = Peek(ahead);
    return token != nullptr && token->kind == TokenKind::kWord && token->text == text;
  }

  void Emit(std::string_view text) {
    out_.text += text;
    out_.text += ' ';
  }
  void EmitItem(Item item) {
    out_.text += 'c';
    Emit(std::to_string(out_.items.size()));
    out_.items.push_back(std::move(item));
  }

  void Step() {
    const Token& token = *Peek();
    switch (token.kind) {
      case TokenKind::kOperator: return Operator(token);
      case TokenKind::kArithmetic: return Whole(token, ItemKind::kArithmetic);
      case TokenKind::kTest: return Whole(token, ItemKind::kTest);
      case TokenKind::kRedirect:
      case TokenKind::kHereText: return after_compound_ ? CompoundRedirection() : Simple();
      case TokenKind::kWord: break;
    }
    if (in_patterns_) return Patterns();
    if (IsReservedWord(token.text)) return Reserved(token.text);
    const bool function = IsOperator(1, "(") && IsOperator(2, ")");
    if (!function) return Simple();
    at_ += 3;
    DefineFunction(token.text);
  }

  void Operator(const Token& token) {
    if (in_patterns_ && token.text == "(") return Patterns();
    ++at_;
    // Several in a row are one to the shell, and too many for the grammar.
    if (token.text == "\n" && (out_.text.empty() || out_.text.ends_with("\n "))) return;
    Emit(token.text);
    after_compound_ = token.text == ")";
    if (token.text.starts_with(";;") || token.text == ";&") {
      if (cases_ == 0) return static_cast<void>(Fail());
      in_patterns_ = true;
    }
  }

  void Whole(const Token& token, ItemKind kind) {
    ++at_;
    EmitItem({kind, {token.text}, {}});
    after_compound_ = true;
  }

  void CompoundRedirection() {
    Item item{ItemKind::kRedirect, {}, {}};
    if (!TakeRedirection(item)) return;
    Emit(">");
    EmitItem(std::move(item));
  }

  bool TakeRedirection(Item& item) {
    const Token& token = *Peek();
    ++at_;
    Redirection redirection{token.text, token.descriptor, {}, token.body, token.quoting};
    if (token.kind == TokenKind::kRedirect) {
      if (Peek() == nullptr || Peek()->kind != TokenKind::kWord) return Fail();
      redirection.target = Peek()->text;
      ++at_;
    }
    item.redirections.push_back(redirection);
    return true;
  }

  void Simple() {
    after_compound_ = false;
    Item item;
    while (const Token* token = Peek()) {
      if (token->kind == TokenKind::kWord) {
        item.words.push_back(token->text);
        ++at_;
      } else if (token->kind == TokenKind::kRedirect || token->kind == TokenKind::kHereText) {
        if (!TakeRedirection(item)) return;
      } else {
        break;
      }
    }
    EmitItem(std::move(item));
  }

  void Reserved(std::string_view word) {
    if (word == "for" || word == "select") return For();
    if (word == "case") return Case();
    if (word == "function") return Function();
    if (word == "time") return Time();
    if (word == "coproc") return Coprocess();
    ++at_;
    if (word == "!") return;  // what is run does not depend on it
    if (word == "in" || word == "[[" || word == "]]") return static_cast<void>(Fail());
    Emit(word == "until" ? "while" : word);
    after_compound_ = word == "fi" || word == "done" || word == "esac" || word == "}";
    if (word == "esac") {
      if (cases_ > 0) --cases_;
      in_patterns_ = false;
    }
  }

  void For() {
    ++at_;
    if (Peek() == nullptr) return static_cast<void>(Fail());
    if (Peek()->kind == TokenKind::kArithmetic) {
      Emit("while");
      Whole(*Peek(), ItemKind::kArithmetic);
      after_compound_ = false;
      if (IsWord(0, "do") || IsWord(0, "{")) Emit(";");
      return;
    }
    if (Peek()->kind != TokenKind::kWord) return static_cast<void>(Fail());
    Item item{ItemKind::kForArguments, {Peek()->text}, {}};
    ++at_;
    while (IsOperator(0, "\n")) ++at_;
    if (IsWord(0, "in")) {
      item.kind = ItemKind::kFor;
      ++at_;
      while (Peek() != nullptr && Peek()->kind == TokenKind::kWord) {
        item.words.push_back(Peek()->text);
        ++at_;
      }
    }
    Emit("for");
    EmitItem(std::move(item));
    Emit("in x");
    if (IsWord(0, "do") || IsWord(0, "{")) Emit(";");
  }

  void Case() {
    ++at_;
    if (Peek() == nullptr || Peek()->kind != TokenKind::kWord) return static_cast<void>(Fail());
    Item item{ItemKind::kCase, {Peek()->text}, {}};
    ++at_;
    while (IsOperator(0, "\n")) ++at_;
    if (!IsWord(0, "in")) return static_cast<void>(Fail());
    ++at_;
    Emit("case");
    EmitItem(std::move(item));
    Emit("in");
    ++cases_;
    in_patterns_ = true;
  }

  // "(a | b)": which of them matches is not looked into, but they may hold substitutions.
  void Patterns() {
    if (IsWord(0, "esac")) return Reserved("esac");
    in_patterns_ = false;
    if (IsOperator(0, "(")) ++at_;
    Item item{ItemKind::kTest, {}, {}};
    while (Peek() != nullptr && !IsOperator(0, ")")) {
      if (Peek()->kind == TokenKind::kWord) {
        item.words.push_back(Peek()->text);
      } else if (!IsOperator(0, "|")) {
        return static_cast<void>(Fail());
      }
      ++at_;
    }
    if (Peek() == nullptr) return static_cast<void>(Fail());
    ++at_;
    Emit("p )");
    if (!item.words.empty()) {
      EmitItem(std::move(item));
      Emit("\n");
    }
    after_compound_ = false;
  }

  void Function() {
    ++at_;
    if (Peek() == nullptr || Peek()->kind != TokenKind::kWord) return static_cast<void>(Fail());
    const std::string_view name = Peek()->text;
    ++at_;
    if (IsOperator(0, "(") && IsOperator(1, ")")) at_ += 2;
    DefineFunction(name);
  }

  void DefineFunction(std::string_view name) {
    EmitItem({ItemKind::kFunction, {name}, {}});
    Emit("( )");
    while (IsOperator(0, "\n")) ++at_;
    after_compound_ = false;
  }

  bool OpensCompound(std::size_t ahead) const {
    const Token* token = Peek(ahead);
    if (token == nullptr) return false;
    if (token->kind == TokenKind::kWord) {
      return IsReservedWord(token->text) && token->text != "time" && token->text != "coproc";
    }
    return IsOperator(ahead, "(") || token->kind == TokenKind::kArithmetic ||
           token->kind == TokenKind::kTest;
  }

  void Time() {
    std::size_t ahead = IsWord(1, "-p") ? 2 : 1;
    if (!OpensCompound(ahead)) return Simple();  // a program that starts another
    at_ += ahead;
  }

  void Coprocess() {
    ++at_;
    if (Peek() != nullptr && Peek()->kind == TokenKind::kWord && !OpensCompound(0) &&
        OpensCompound(1)) {
      ++at_;  // its name
    }
  }

  bool Fail() {
    failed_ = true;
    return false;
  }

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  Skeleton out_;
  bool failed_ = false;
  bool after_compound_ = false;  // redirections here belong to what has just been closed
  bool in_patterns_ = false;
  int cases_ = 0;
};

}  // namespace

std::optional<Skeleton> BuildSkeleton(const std::vector<Token>& tokens) {
  return Builder(tokens).Build();
}

}  // namespace cordon::shell
