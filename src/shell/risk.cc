#include "shell/risk.h"

#include <algorithm>
#include <string>
#include <utility>

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
    case Start::kRoot: return true;
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
    }
  }

  void Executes(const FileUse& use) {
    for (const FileUse& other : explanation_.files) {
      const bool written = other.access == Access::kWrite && other.path == use.path;
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
