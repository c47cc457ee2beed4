// cordon why: which rule decides, component by component.
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/explain.h"
#include "cli/json_output.h"
#include "cli/percent_argument.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct WhyFlags {
  CommonFlags common;
  std::optional<std::string> operation;
  std::optional<std::string> path;
  bool percent = false;
};

std::string_view KindName(ComponentKind kind) {
  switch (kind) {
    case ComponentKind::kEntry: return "entry";
    case ComponentKind::kLinkInside: return "link-inside";
    case ComponentKind::kLinkDangling: return "link-dangling";
    case ComponentKind::kLinkOutside: return "link-outside";
    case ComponentKind::kLinkDenied: return "link-denied";
    case ComponentKind::kMissing: return "missing";
    case ComponentKind::kDenied: return "denied";
    case ComponentKind::kRefused: return "refused";
    case ComponentKind::kNotReached: return "not-reached";
  }
  return "refused";
}

std::string_view GrammarName(path::Grammar grammar) {
  switch (grammar) {
    case path::Grammar::kPosix: return "POSIX";
    case path::Grammar::kWindows: return "Windows";
    case path::Grammar::kMacos: return "macOS";
  }
  return "POSIX";
}

std::string_view VerdictName(policy::Verdict verdict) {
  switch (verdict) {
    case policy::Verdict::kAllow: return "allow";
    case policy::Verdict::kAsk: return "ask";
    case policy::Verdict::kDeny: return "deny";
  }
  return "deny";
}

std::string Reason(const Error& error) {
  return Printable(error.detail.empty() ? ErrorCodeName(error.code)
                                        : std::string_view(error.detail));
}

std::string DescribeRule(const policy::DenyRule& rule) {
  std::string text = "deny rule " + Quoted(rule.pattern);
  if (!rule.reason.empty()) text += ", because: " + Printable(rule.reason);
  return text + " (from " + Printable(rule.origin) + ")";
}

std::string DescribeKind(const ComponentFact& fact) {
  switch (fact.kind) {
    case ComponentKind::kEntry:
      if (fact.name == "..") return "one directory up, still inside";
      return "a " + std::string(FileTypeName(fact.type));
    case ComponentKind::kLinkInside:
      return "a link to " + Quoted(fact.link_text) + ", which is inside: a " +
             std::string(FileTypeName(fact.type));
    case ComponentKind::kLinkDangling:
      return "a link to " + Quoted(fact.link_text) + ", which is inside; nothing is there";
    case ComponentKind::kLinkOutside: return "a link that leads outside";
    case ComponentKind::kLinkDenied: return "a link to something that a deny rule covers";
    case ComponentKind::kMissing: return "does not exist";
    case ComponentKind::kDenied: return "denied; not looked at";
    case ComponentKind::kRefused: return "refused: " + Reason(*fact.error);
    case ComponentKind::kNotReached: return "not reached";
  }
  return "";
}

std::string ProfileWord(const Explanation& explanation, policy::Profile profile) {
  std::string text = std::string(policy::ProfileName(profile)) + " ";
  switch (explanation.decision.verdict) {
    case policy::Verdict::kAllow: text += "has nothing against it"; break;
    case policy::Verdict::kAsk: text += "asks the person, and nobody can be asked here"; break;
    case policy::Verdict::kDeny: text += "refuses"; break;
  }
  if (explanation.decision.verdict != policy::Verdict::kAllow) {
    text += " (rule " + std::string(explanation.decision.rule) + ")";
  }
  return text;
}

void PrintPlace(const Explanation& explanation) {
  std::cout << "  path       " << (explanation.absolute ? "absolute, " : "relative, ");
  if (explanation.root == nullptr) {
    std::cout << "in no configured place; nothing there was looked at\n";
    return;
  }
  std::cout << "below the " << ZoneName(explanation.zone) << ' '
            << Quoted(explanation.root->real_path());
  if (explanation.must_be_directory) std::cout << "; must be a directory";
  std::cout << '\n';
  if (explanation.parse_error) {
    std::cout << "  parse      refused: " << Reason(*explanation.parse_error) << '\n';
  } else if (explanation.components.empty()) {
    std::cout << "  means      the root itself\n";
  }
}

void PrintComponents(const Explanation& explanation) {
  std::size_t number = 0;
  for (const ComponentFact& fact : explanation.components) {
    std::cout << "  " << std::setw(4) << ++number << "       " << Quoted(fact.name) << "  "
              << DescribeKind(fact);
    if (fact.rule != nullptr) std::cout << "; named by deny rule " << Quoted(fact.rule->pattern);
    std::cout << '\n';
  }
  if (explanation.components_left_out > 0) {
    std::cout << "             and " << explanation.components_left_out << " more\n";
  }
}

void PrintElsewhere(const OtherMeaning& meaning) {
  std::cout << "  elsewhere  under " << GrammarName(meaning.grammar) << ": ";
  if (meaning.error) {
    std::cout << "refused, " << Reason(*meaning.error) << '\n';
    return;
  }
  if (meaning.rule != nullptr) {
    std::cout << Quoted(meaning.rule_component) << " is covered by " << DescribeRule(*meaning.rule)
              << '\n';
    return;
  }
  std::cout << "means " << (meaning.path.empty() ? "the root itself" : Quoted(meaning.path))
            << '\n';
}

void PrintText(const Explanation& explanation, policy::Profile profile) {
  std::cout << "why: " << OperationName(explanation.operation) << ' ' << Quoted(explanation.path)
            << '\n';
  PrintPlace(explanation);
  PrintComponents(explanation);
  std::cout << "  deny list  "
            << (explanation.deny_rule != nullptr ? DescribeRule(*explanation.deny_rule)
                                                 : "no rule covers it")
            << '\n';
  std::cout << "  profile    " << ProfileWord(explanation, profile) << '\n';
  for (const OtherMeaning& meaning : explanation.elsewhere) PrintElsewhere(meaning);
  if (explanation.verdict) {
    const confine::Probed& found = explanation.verdict->found;
    std::cout << "  verdict    allowed: really "
              << (found.path.empty() ? "the root itself" : Quoted(found.path))
              << (found.exists ? "" : ", which does not exist yet") << '\n';
  } else {
    const Error& error = explanation.verdict.error();
    std::cout << "  verdict    refused: " << ErrorCodeName(error.code);
    if (!error.rule.empty()) std::cout << ", rule " << Printable(error.rule);
    if (!error.component.empty()) std::cout << ", at " << Quoted(error.component);
    std::cout << ": " << Reason(error) << '\n';
  }
}

json::object ComponentObject(const ComponentFact& fact) {
  json::object object;
  AddBytes(object, "name", fact.name);
  object["kind"] = KindName(fact.kind);
  if (fact.kind == ComponentKind::kEntry || fact.kind == ComponentKind::kLinkInside) {
    object["type"] = FileTypeName(fact.type);
  }
  if (fact.kind == ComponentKind::kLinkInside || fact.kind == ComponentKind::kLinkDangling) {
    AddBytes(object, "linkTarget", fact.link_text);
  }
  if (fact.rule != nullptr) object["denyRule"] = DenyRuleObject(*fact.rule);
  if (fact.error) object["error"] = ErrorObject(*fact.error, fact.name);
  return object;
}

json::object ElsewhereObject(const OtherMeaning& meaning, std::string_view requested) {
  json::object object;
  object["system"] = GrammarName(meaning.grammar);
  if (meaning.error) {
    object["error"] = ErrorObject(*meaning.error, requested);
    return object;
  }
  AddBytes(object, "path", meaning.path);
  if (meaning.rule != nullptr) object["denyRule"] = DenyRuleObject(*meaning.rule);
  return object;
}

json::object ExplanationObject(const Explanation& explanation, policy::Profile profile) {
  json::object data;
  data["operation"] = OperationName(explanation.operation);
  AddBytes(data, "path", explanation.path);
  data["absolute"] = explanation.absolute;
  data["zone"] = ZoneName(explanation.zone);
  if (explanation.root != nullptr) AddBytes(data, "root", explanation.root->real_path());
  json::array components;
  for (const ComponentFact& fact : explanation.components) {
    components.emplace_back(ComponentObject(fact));
  }
  data["components"] = std::move(components);
  data["componentsLeftOut"] = explanation.components_left_out;
  if (explanation.deny_rule != nullptr) data["denyRule"] = DenyRuleObject(*explanation.deny_rule);
  json::object decision;
  decision["profile"] = policy::ProfileName(profile);
  decision["verdict"] = VerdictName(explanation.decision.verdict);
  decision["rule"] = explanation.decision.rule;
  data["decision"] = std::move(decision);
  json::array elsewhere;
  for (const OtherMeaning& meaning : explanation.elsewhere) {
    elsewhere.emplace_back(ElsewhereObject(meaning, explanation.path));
  }
  data["elsewhere"] = std::move(elsewhere);
  data["verdict"] = explanation.verdict ? "allowed" : "refused";
  if (explanation.verdict) {
    AddBytes(data, "resolvedPath", explanation.verdict->found.path);
    data["exists"] = explanation.verdict->found.exists;
  } else {
    data["error"] = ErrorObject(explanation.verdict.error(), explanation.path);
  }
  return data;
}

Result<Explanation> ExplainRequest(const WhyFlags& flags, const guard::Boundary& boundary) {
  TRY_ASSIGN(const Operation operation, ParseOperationFlag(flags.operation.value_or("read")));
  std::string path = flags.path.value_or("");
  if (flags.percent) {
    TRY_ASSIGN(path, PercentArgument(path));
  }
  return Explain(boundary, operation, path);
}

ExitStatus Run(const WhyFlags& flags) {
  const OutputFormat format = flags.common.format();
  const Result<policy::Settings> settings = LoadSettings(flags.common);
  if (!settings) return ReportSetupError(settings.error(), format);
  const Result<guard::Boundary> boundary = OpenBoundary(*settings);
  if (!boundary) return ReportSetupError(boundary.error(), format);
  const Result<Explanation> explanation = ExplainRequest(flags, *boundary);
  if (!explanation) return ReportSetupError(explanation.error(), format);
  const policy::Profile profile = boundary->settings().profile;
  if (format == OutputFormat::kText) {
    PrintWarnings(boundary->warnings());
    PrintText(*explanation, profile);
  } else {
    json::object result;
    result["success"] = true;
    result["data"] = ExplanationObject(*explanation, profile);
    if (!boundary->warnings().empty()) result["warnings"] = TextArray(boundary->warnings());
    std::cout << Serialize(result) << '\n';
  }
  if (!explanation->verdict && explanation->verdict.error().code == ErrorCode::kUnsupported) {
    return ExitStatus::kCannotEnforce;
  }
  return ExitStatus::kDone;
}

}  // namespace

void AddWhyCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command = *app.add_subcommand(
      "why", "Which rule decides, component by component. PATH is never read or changed.");
  const auto flags = std::make_shared<WhyFlags>();
  AddText(command, "--op", flags->operation, "What would be done; default read")
      ->type_name("read|write|create|delete|list|mkdir|rename|stat");
  command.add_flag("--percent", flags->percent,
                   "PATH is percent-encoded (%00 is NUL), as --json prints odd names");
  AddText(command, "PATH", flags->path, "The path, as an agent would give it")->required();
  AddCommonFlags(command, flags->common);
  command.footer(
      "Exit status: 0 explained, whatever the verdict; 2 usage or configuration error,\n"
      "             3 cannot enforce. For a verdict as a status: cordon check.\n"
      "Example:\n"
      "  cordon why --root ~/project --op write docs/link/.env");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
