#include "tools/command_preview.h"

#include <algorithm>

#include "shell/explain.h"

namespace cordon::tools {
namespace {

constexpr std::size_t kMostOfAKind = 12;

void AddLine(std::string& text, std::string_view label, const std::string& items) {
  if (items.empty()) return;
  text += label;
  text += items;
  text += '\n';
}

std::string Files(const shell::Explanation& explanation, shell::Access access) {
  std::string items;
  std::size_t count = 0;
  for (const shell::FileUse& use : explanation.files) {
    if (use.access != access || ++count > kMostOfAKind) continue;
    if (!items.empty()) items += ", ";
    items += use.path.empty() ? "(not known)" : use.path;
    if (use.extent == shell::Extent::kTree) items += " and all below";
  }
  if (count > kMostOfAKind) items += " and " + std::to_string(count - kMostOfAKind) + " more";
  return items;
}

std::string Programs(const shell::Explanation& explanation) {
  std::string items;
  for (const shell::Program& program : explanation.programs) {
    if (!items.empty()) items += ", ";
    items += program.name.text;
  }
  return items;
}

std::string Hosts(const shell::Explanation& explanation) {
  std::string items;
  for (const shell::NetworkUse& use : explanation.network) {
    if (!items.empty()) items += ", ";
    items += use.target.empty() ? use.by : use.target;
  }
  return items;
}

}  // namespace

std::string CommandPreview(std::string_view untrusted) {
  const shell::Explanation explanation = shell::Explain(untrusted);
  std::string text = "Risk: " + std::string(shell::RiskName(explanation.risk));
  std::size_t reasons = 0;
  for (const shell::Reason& reason : explanation.reasons) {
    if (reason.risk != explanation.risk || ++reasons > 3) break;
    text += (reasons == 1 ? ": " : "; ") + reason.text;
  }
  text += '\n';
  AddLine(text, "Runs: ", Programs(explanation));
  AddLine(text, "Writes: ", Files(explanation, shell::Access::kWrite));
  AddLine(text, "Deletes: ", Files(explanation, shell::Access::kDelete));
  AddLine(text, "Reads: ", Files(explanation, shell::Access::kRead));
  AddLine(text, "Network: ", Hosts(explanation));
  if (!explanation.unknown.empty()) {
    text += "Not known: " + std::to_string(explanation.unknown.size()) + " parts of it\n";
  }
  return text;
}

}  // namespace cordon::tools
