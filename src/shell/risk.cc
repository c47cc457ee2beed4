#include "shell/risk.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "policy/deny_list.h"

namespace cordon::shell {
namespace {

// What usually holds secrets or decides what runs, by the rules that files are judged by.
const policy::DenyList& Secrets() {
  static const policy::DenyList kList = [] {
    std::vector<policy::DenyRule> rules = policy::DefaultDenyRules();
    for (policy::DenyRule& rule : policy::CredentialDenyRules()) rules.push_back(std::move(rule));
    Result<policy::DenyList> compiled = policy::DenyList::Compile(std::move(rules));
    return compiled ? std::move(*compiled) : policy::DenyList();
  }();
  return kList;
}

// Whether a component with *, ? and [] could name `name`; a bracket is taken for any byte.
// Both are short, so that trying every way is affordable.
bool CouldName(std::string_view pattern, std::string_view name) {
  if (!pattern.empty() && name.starts_with('.') && pattern[0] != '.') return false;
  std::vector<bool> reached(name.size() + 1, false);
  reached[0] = true;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    std::vector<bool> next(name.size() + 1, false);
    const char byte = pattern[i];
    bool any = byte == '?';
    if (byte == '[') {
      const std::size_t end = pattern.find(']', i + 2);
      if (end != std::string_view::npos) {
        any = true;
        i = end;
      }
    }
    for (std::size_t at = 0; at <= name.size(); ++at) {
      if (!reached[at]) continue;
      if (byte == '*') {
        for (std::size_t to = at; to <= name.size(); ++to) next[to] = true;
      } else if (at < name.size() && (any || name[at] == byte)) {
        next[at + 1] = true;
      }
    }
    reached = std::move(next);
  }
  return reached[name.size()];
}

// The first plainly named secret that a part of the pattern could match.
const policy::DenyRule* SecretMatched(std::string_view path) {
  constexpr std::size_t kMaxPart = 255;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    // What matches nearly anything is told as a pattern already; this is for those that
    // are made to match a secret.
    const auto loose = [](char byte) { return byte == '*' || byte == '?' || byte == '['; };
    const auto plain_bytes =
        part.size() - static_cast<std::size_t>(std::count_if(part.begin(), part.end(), loose));
    const bool telling = plain_bytes >= 3 || part.starts_with('.');
    if (!telling || part.size() > kMaxPart) continue;
    for (const policy::DenyRule& rule : Secrets().rules()) {
      const bool plain = rule.pattern.find_first_of("*?[/") == std::string::npos;
      if (plain && CouldName(part, rule.pattern)) return &rule;
    }
  }
  return nullptr;
}

const policy::DenyRule* SecretIn(const FileUse& use) {
  std::string_view path = use.path;
  if (use.start == Start::kHome && !path.empty()) path.remove_prefix(1);
  const policy::DenyList::Verdict verdict = Secrets().Check(path, Operation::kRead);
  if (verdict.denied) return verdict.denied->rule;
  return verdict.suspects.empty() ? nullptr : verdict.suspects.front().rule;
}

// By text: whether ".." goes above where the path starts.
bool LeadsUp(std::string_view path) {
  int depth = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      --depth;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    if (depth < 0) return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

bool IsOutside(const FileUse& use) {
  switch (use.start) {
    case Start::kWorkingDirectory: return LeadsUp(use.path);
    case Start::kRoot:
    case Start::kHome: return true;
    case Start::kUnknown: return false;  // told as unknown
  }
  return true;
}

bool IsTemporary(const FileUse& use) {
  return use.start == Start::kRoot && !use.path.ends_with("/..") &&
         use.path.find("/../") == std::string::npos &&
         (use.path.starts_with("/tmp/") || use.path.starts_with("/var/tmp/") || use.path == "/tmp");
}

class Judgement {
 public:
  explicit Judgement(Explanation& explanation) : explanation_(explanation) {}

  void Run() {
    // Not those that are added below.
    const std::vector<FileUse>& files = explanation_.files;
    for (const FileUse& use : files) Judge(use);
    for (const NetworkUse& use : explanation_.network) {
      Because(Risk::kMedium, "network",
              use.by + " connects to " + (use.target.empty() ? "another machine" : use.target));
    }
    std::stable_sort(explanation_.reasons.begin(), explanation_.reasons.end(),
                     [](const Reason& a, const Reason& b) { return a.risk > b.risk; });
    explanation_.risk = explanation_.reasons.empty() ? Risk::kLow : explanation_.reasons[0].risk;
  }

 private:
  void Because(Risk risk, std::string_view code, std::string text) {
    Reason reason{risk, code, std::move(text)};
    std::vector<Reason>& reasons = explanation_.reasons;
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(std::move(reason));
    }
  }

  void Judge(const FileUse& use) {
    const bool tree = use.extent == Extent::kTree;
    switch (use.access) {
      case Access::kRead:
        if (IsOutside(use) && !IsTemporary(use)) {
          Because(Risk::kMedium, "reads-outside", use.path + " is outside the working directory");
        }
        break;
      case Access::kEnter: break;
      case Access::kWrite:
        Because(Risk::kMedium, "writes", use.by + " writes " + use.path);
        Outside(use);
        break;
      case Access::kDelete:
        Because(tree ? Risk::kHigh : Risk::kMedium, tree ? "deletes-tree" : "deletes",
                use.by + " deletes " + use.path + (tree ? " and all below it" : ""));
        Outside(use);
        break;
      case Access::kExecute: Executes(use); break;
    }
    Secret(use);
  }

  void Outside(const FileUse& use) {
    if (!IsOutside(use) || IsTemporary(use)) return;
    Because(Risk::kHigh, "changes-outside",
            use.path + ", which changes, is outside the working directory");
  }

  void Secret(const FileUse& use) {
    // git's own use of .git is what git is for.
    if (use.by == "git" && use.path.ends_with(".git")) return;
    if (const policy::DenyRule* rule = SecretIn(use)) {
      Because(Risk::kHigh, "secret", use.path + ": " + rule->reason);
    } else if (use.exactness == Exactness::kPattern) {
      if (const policy::DenyRule* match = SecretMatched(use.path)) {
        Because(Risk::kHigh, "secret", use.path + " may match " + match->pattern);
      }
    }
  }

  static std::string_view WithoutDot(std::string_view path) {
    while (path.starts_with("./")) path.remove_prefix(2);
    return path;
  }

  void Executes(const FileUse& use) {
    for (const FileUse& other : explanation_.files) {
      const bool written =
          other.access == Access::kWrite && WithoutDot(other.path) == WithoutDot(use.path);
      if (written && other.start == use.start) {
        Because(Risk::kHigh, "runs-what-it-wrote", use.path + " is written and then run");
      }
    }
  }

  Explanation& explanation_;
};

}  // namespace

void Judge(Explanation& explanation) { Judgement(explanation).Run(); }

}  // namespace cordon::shell
