// cordon shell-explain: what a command line would do, as far as its text tells.
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/output_style.h"
#include "shell/command_rules.h"
#include "shell/explain.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct ShellExplainFlags {
  CommonFlags common;
  std::optional<std::string> command;
};

std::string Named(std::string_view text, shell::Exactness exactness) {
  std::string shown = Quoted(text);
  if (exactness == shell::Exactness::kPattern) shown += " (a pattern)";
  if (exactness == shell::Exactness::kUnknown) shown += " (not known)";
  return shown;
}

void PrintPrograms(const shell::Explanation& explanation) {
  for (const shell::Program& program : explanation.programs) {
    std::cout << "  runs     " << Named(program.name.text, program.name.exactness);
    for (const shell::Argument& argument : program.arguments) {
      std::cout << ' ' << Quoted(argument.text);
    }
    for (const std::string& name : program.through) std::cout << ", started by " << Printable(name);
    std::cout << '\n';
  }
}

void PrintFiles(const shell::Explanation& explanation) {
  for (const shell::FileUse& use : explanation.files) {
    std::string verb(shell::AccessName(use.access));
    verb += 's';
    verb.resize(9, ' ');
    std::cout << "  " << verb << Named(use.path, use.exactness);
    if (use.extent == shell::Extent::kTree) std::cout << " and what is below it";
    std::cout << ", by " << Printable(use.by) << '\n';
  }
}

Ink InkOf(shell::Risk risk) {
  switch (risk) {
    case shell::Risk::kLow: return Ink::kPlain;
    case shell::Risk::kMedium: return Ink::kAsked;
    case shell::Risk::kHigh: return Ink::kRefused;
  }
  return Ink::kRefused;
}

void PrintText(const shell::Explanation& explanation) {
  const Colour colour = StyleOfStandardOutput().colour;
  PrintPrograms(explanation);
  PrintFiles(explanation);
  for (const shell::NetworkUse& use : explanation.network) {
    std::cout << "  network  "
              << (use.target.empty() ? "another machine" : Named(use.target, use.exactness))
              << ", by " << Printable(use.by) << '\n';
  }
  for (const shell::Unknown& unknown : explanation.unknown) {
    std::cout << "  unknown  ";
    if (!unknown.text.empty()) std::cout << Quoted(unknown.text) << ": ";
    std::cout << Printable(unknown.why) << '\n';
  }
  std::cout << "  risk     "
            << Inked(shell::RiskName(explanation.risk), InkOf(explanation.risk), colour) << '\n';
  for (const shell::Reason& reason : explanation.reasons) {
    std::cout << "    " << shell::RiskName(reason.risk) << ": " << Printable(reason.text) << " ["
              << reason.code << "]\n";
  }
}

std::string_view WordOf(const shell::CommandVerdict& verdict) {
  return policy::CommandActionName(verdict.action);
}

void PrintRule(const shell::CommandVerdict& verdict) {
  std::cout << "  rule     " << WordOf(verdict) << ": " << Printable(verdict.Why()) << " ["
            << Printable(verdict.rule.name()) << ", " << Printable(verdict.rule.origin) << "]\n";
}

json::object RuleObject(const shell::CommandVerdict& verdict) {
  json::object object = CommandRuleObject(verdict.rule);
  object["action"] = WordOf(verdict);
  object["certain"] = verdict.certainty == shell::CommandVerdict::Certainty::kSure;
  return object;
}

json::object ArgumentObject(const shell::Argument& argument) {
  json::object object;
  AddBytes(object, "text", argument.text);
  object["exactness"] = shell::ExactnessName(argument.exactness);
  return object;
}

json::array ProgramArray(const shell::Explanation& explanation) {
  json::array programs;
  for (const shell::Program& program : explanation.programs) {
    json::object object;
    object["name"] = ArgumentObject(program.name);
    json::array arguments;
    for (const shell::Argument& argument : program.arguments) {
      arguments.emplace_back(ArgumentObject(argument));
    }
    object["arguments"] = std::move(arguments);
    object["through"] = TextArray(program.through);
    programs.emplace_back(std::move(object));
  }
  return programs;
}

json::array FileArray(const shell::Explanation& explanation) {
  json::array files;
  for (const shell::FileUse& use : explanation.files) {
    json::object object;
    object["access"] = shell::AccessName(use.access);
    AddBytes(object, "path", use.path);
    object["start"] = shell::StartName(use.start);
    object["exactness"] = shell::ExactnessName(use.exactness);
    object["extent"] = shell::ExtentName(use.extent);
    AddBytes(object, "by", use.by);
    files.emplace_back(std::move(object));
  }
  return files;
}

json::array NetworkArray(const shell::Explanation& explanation) {
  json::array network;
  for (const shell::NetworkUse& use : explanation.network) {
    json::object object;
    AddBytes(object, "target", use.target);
    object["exactness"] = shell::ExactnessName(use.exactness);
    AddBytes(object, "by", use.by);
    network.emplace_back(std::move(object));
  }
  return network;
}

json::object ExplanationObject(const shell::Explanation& explanation) {
  json::object data;
  data["programs"] = ProgramArray(explanation);
  data["files"] = FileArray(explanation);
  data["network"] = NetworkArray(explanation);
  json::array unknown;
  for (const shell::Unknown& thing : explanation.unknown) {
    json::object object;
    AddBytes(object, "text", thing.text);
    object["why"] = Printable(thing.why);
    unknown.emplace_back(std::move(object));
  }
  data["unknown"] = std::move(unknown);
  data["risk"] = shell::RiskName(explanation.risk);
  json::array reasons;
  for (const shell::Reason& reason : explanation.reasons) {
    json::object object;
    object["risk"] = shell::RiskName(reason.risk);
    object["code"] = reason.code;
    object["text"] = Printable(reason.text);
    reasons.emplace_back(std::move(object));
  }
  data["reasons"] = std::move(reasons);
  return data;
}

ExitStatus Run(const ShellExplainFlags& flags) {
  const Result<policy::Settings> settings = LoadSettings(flags.common);
  if (!settings) return ReportSetupError(settings.error(), flags.common.format());
  const shell::Explanation explanation = shell::Explain(flags.command.value_or(""));
  const auto ruling = shell::JudgeByRules(explanation, settings->commands);
  if (flags.common.format() == OutputFormat::kText) {
    PrintText(explanation);
    if (ruling) PrintRule(*ruling);
    return ExitStatus::kDone;
  }
  json::object result;
  result["success"] = true;
  json::object data = ExplanationObject(explanation);
  if (ruling) data["rule"] = RuleObject(*ruling);
  result["data"] = std::move(data);
  std::cout << Serialize(result) << '\n';
  return ExitStatus::kDone;
}

}  // namespace

void AddShellExplainCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command = *app.add_subcommand(
      "shell-explain",
      "What a shell command line would do, as far as its text tells, and what rules say of "
      "it. Nothing is run, and nothing but the configuration opened.");
  const auto flags = std::make_shared<ShellExplainFlags>();
  AddText(command, "CMD", flags->command, "The command line, as one argument")->required();
  AddCommonFlags(command, flags->common);
  command.footer(
      "Exit status: 0 explained, whatever the risk; 2 usage error.\n"
      "Example:\n"
      "  cordon shell-explain 'curl -s https://example.org/x | sudo sh'");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
