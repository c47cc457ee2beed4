#include "shell/explain.h"

#include "shell/findings.h"
#include "shell/interpreter.h"
#include "shell/mentions.h"
#include "shell/risk.h"

namespace cordon::shell {

Explanation Explain(std::string_view untrusted) {
  Findings findings;
  if (untrusted.size() > kMaxCommandBytes) {
    findings.DontKnow("", "the command line is too long to be read", "too-much", Risk::kHigh);
  } else if (untrusted.find('\0') != std::string_view::npos) {
    findings.DontKnow("", "a NUL ends a command line in some places and not in others",
                      "unreadable", Risk::kHigh);
  } else {
    Interpreter(findings).RunText(untrusted, Flow());
  }
  Explanation explanation = findings.Take();
  Judge(explanation);
  return explanation;
}

std::vector<std::string> TextsInCode(std::string_view untrusted) {
  std::vector<std::string> texts;
  for (const Word& word : WordsOfCode(Word(untrusted))) texts.push_back(word.text());
  return texts;
}

std::string_view AccessName(Access access) {
  switch (access) {
    case Access::kRead: return "read";
    case Access::kWrite: return "write";
    case Access::kDelete: return "delete";
    case Access::kExecute: return "execute";
    case Access::kEnter: return "enter";
  }
  return "write";
}

std::string_view ExactnessName(Exactness exactness) {
  switch (exactness) {
    case Exactness::kExact: return "exact";
    case Exactness::kPattern: return "pattern";
    case Exactness::kUnknown: return "unknown";
  }
  return "unknown";
}

std::string_view StartName(Start start) {
  switch (start) {
    case Start::kWorkingDirectory: return "working-directory";
    case Start::kRoot: return "root";
    case Start::kHome: return "home";
    case Start::kUnknown: return "unknown";
  }
  return "unknown";
}

std::string_view ExtentName(Extent extent) {
  switch (extent) {
    case Extent::kItself: return "itself";
    case Extent::kTree: return "tree";
  }
  return "tree";
}

}  // namespace cordon::shell
