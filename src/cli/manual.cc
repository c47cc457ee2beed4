#include "cli/manual.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/program_usage.h"

namespace cordon::cli {
namespace {

// As man(7) has to have it: no command at a line's beginning, no escape, minus signs to copy.
std::string Escaped(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '\'') {
      escaped += "\\(aq";
    } else if (c == '`') {
      escaped += "\\(ga";
    } else if (c == '^') {
      escaped += "\\(ha";
    } else if (c == '~') {
      escaped += "\\(ti";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

bool Hidden(const CLI::App& command) { return command.get_group().empty(); }
bool Hidden(const CLI::Option& option) { return option.get_group().empty(); }

std::vector<const CLI::App*> Subcommands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* one) { return !Hidden(*one); });
}

// A footer is text, with sections that a line such as "Examples:" begins.
struct Section {
  std::string title;  // "" for what stands before the first
  std::string text;
};

std::vector<Section> SectionsOf(const std::string& footer) {
  std::vector<Section> sections{{"", ""}};
  std::string_view rest = footer;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line == "Example:" || line == "Examples:") {
      sections.push_back({"EXAMPLES", ""});
      continue;
    }
    const std::size_t colon = line.find(": ");
    for (const std::string_view title : {"Environment", "Exit status"}) {
      if (line.substr(0, std::min(colon, line.size())) != title) continue;
      sections.push_back({Upper(std::string(title)), ""});
    }
    const bool titled = sections.back().text.empty() && !sections.back().title.empty() &&
                        sections.back().title != "EXAMPLES";
    sections.back().text += titled ? line.substr(colon + 2) : line;
    sections.back().text += '\n';
  }
  return sections;
}

void AddHeading(std::string& page, const std::string& title) {
  page += ".SH " + Escaped(title) + "\n";
}

void AddLiteral(std::string& page, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  page += ".nf\n" + Escaped(text) + "\n.fi\n";
}

std::string ValueOf(const CLI::Option& option) {
  return option.get_items_expected_max() > 0 ? option.get_type_name() : "";
}

void AddOption(std::string& page, const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) {
    names += (names.empty() ? "" : ", ") + std::string("\\fB") + Escaped("-" + name) + "\\fR";
  }
  for (const std::string& name : option.get_lnames()) {
    names += (names.empty() ? "" : ", ") + std::string("\\fB") + Escaped("--" + name) + "\\fR";
  }
  if (option.get_positional()) names = "\\fI" + Escaped(option.get_name()) + "\\fR";
  const std::string value = ValueOf(option);
  if (!value.empty()) names += " \\fI" + Escaped(value) + "\\fR";
  page += ".TP\n" + names + "\n" + Escaped(option.get_description()) + "\n";
}

void AddOptions(std::string& page, const CLI::App& command) {
  for (const std::string& group : command.get_groups()) {
    const auto options = command.get_options(
        [&](const CLI::Option* one) { return !Hidden(*one) && one->get_group() == group; });
    if (options.empty()) continue;
    AddHeading(page, group == "Options" ? "OPTIONS" : Upper(group) + " OPTIONS");
    for (const CLI::Option* option : options) {
      if (option->get_positional()) AddOption(page, *option);
    }
    for (const CLI::Option* option : options) {
      if (!option->get_positional()) AddOption(page, *option);
    }
  }
}

std::string Synopsis(const CLI::App& command) {
  std::string text = "\\fB" + Escaped(CommandWords(command)) + "\\fR [\\fIoptions\\fR]";
  for (const CLI::Option* one :
       command.get_options([](const CLI::Option* option) { return option->get_positional(); })) {
    const std::string name = "\\fI" + Escaped(one->get_name()) + "\\fR";
    text += one->get_required() ? " " + name : " [" + name + "]";
  }
  if (!Subcommands(command).empty()) text += " \\fIcommand\\fR ...";
  const std::string program = ProgramUsage(command);
  return program.empty() ? text : text + " " + Escaped(program);
}

}  // namespace

std::string CommandWords(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : CommandWords(*parent) + " " + command.get_name();
}

std::string PageName(const CLI::App& command) {
  std::string name = CommandWords(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::vector<const CLI::App*> DocumentedCommands(const CLI::App& program) {
  std::vector<const CLI::App*> commands{&program};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    for (const CLI::App* one : Subcommands(*commands[i])) commands.push_back(one);
  }
  return commands;
}

std::string ManualPage(const CLI::App& command, const std::string& version) {
  std::string description = command.get_description();
  if (description.ends_with('.')) description.pop_back();
  // No date: the same source gives the same page.
  std::string page =
      ".TH " + Upper(PageName(command)) + " 1 \"\" \"cordon " + version + "\" \"Cordon\"\n";
  AddHeading(page, "NAME");
  page += Escaped(PageName(command)) + " \\- " + Escaped(description) + "\n";
  AddHeading(page, "SYNOPSIS");
  page += Synopsis(command) + "\n";
  const std::vector<Section> sections = SectionsOf(command.get_footer());
  AddHeading(page, "DESCRIPTION");
  page += Escaped(command.get_description()) + "\n";
  if (!sections.front().text.empty()) {
    page += ".PP\n";
    AddLiteral(page, sections.front().text);
  }
  const std::vector<const CLI::App*> subcommands = Subcommands(command);
  if (!subcommands.empty()) AddHeading(page, "COMMANDS");
  for (const CLI::App* one : subcommands) {
    page += ".TP\n\\fB" + Escaped(CommandWords(*one)) + "\\fR\n" + Escaped(one->get_description()) +
            "\n";
  }
  AddOptions(page, command);
  for (std::size_t i = 1; i < sections.size(); ++i) {
    AddHeading(page, sections[i].title);
    AddLiteral(page, sections[i].text);
  }
  AddHeading(page, "SEE ALSO");
  std::string others;
  if (command.get_parent() != nullptr) {
    others = "\\fB" + Escaped(PageName(*command.get_parent())) + "\\fR(1)";
  }
  for (const CLI::App* one : subcommands) {
    others +=
        (others.empty() ? "" : ",\n") + std::string("\\fB") + Escaped(PageName(*one)) + "\\fR(1)";
  }
  page += (others.empty() ? "\\fBcordon\\fR(1)" : others) + "\n";
  return page;
}

}  // namespace cordon::cli
