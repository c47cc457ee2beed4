#include "cli/completion.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace cordon::cli {
namespace {

using Names = Completion::Names;

bool TakesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The first sentence, or what there is of it on one line.
std::string Brief(const std::string& help) {
  std::string line = help.substr(0, std::min(help.find('\n'), help.size()));
  const std::size_t stop = line.find(". ");
  if (stop != std::string::npos) line.resize(stop);
  if (line.ends_with('.')) line.pop_back();
  return line;
}

const CLI::Option* FindOption(const CLI::App& command, const std::string& word) {
  if (word.size() < 2 || word.front() != '-') return nullptr;
  return command.get_option_no_throw(word);
}

const CLI::App* FindCommand(const CLI::App& command, const std::string& word) {
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->check_name(word)) return one;
  }
  return nullptr;
}

std::vector<const CLI::Option*> Positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* one) { return one->get_positional(); });
}

// Goes along the words before the last.
struct Place {
  const CLI::App* command;
  const CLI::Option* pending = nullptr;  // whose value comes next
  std::size_t positionals = 0;           // that were given already
  bool after_dashes = false;

  void Pass(const std::string& word) {
    if (pending != nullptr) {
      if (word != "=") pending = nullptr;
      return;
    }
    if (word == "--") {
      after_dashes = true;
    } else if (const CLI::Option* const option = FindOption(*command, word)) {
      if (TakesValue(*option)) pending = option;
    } else if (const CLI::App* const sub = FindCommand(*command, word)) {
      command = sub;
      positionals = 0;
    } else if (!word.starts_with('-')) {
      ++positionals;
    }
  }
};

class Finder {
 public:
  Finder(std::string_view begun, const SandboxNames& sandboxes)
      : begun_(begun), sandboxes_(sandboxes) {}

  void Offer(std::string text, std::string help) {
    if (!text.starts_with(begun_)) return;
    found_.candidates.push_back({std::move(text), std::move(help)});
  }

  // `prefix`: what stands before the value in the same word ("--root=").
  void OfferValues(const CLI::Option& option, const std::string& prefix) {
    const std::string type = option.get_type_name();
    const std::string name = option.get_positional() ? option.get_name() : "";
    for (const std::string& value : ListedValues(type)) Offer(prefix + value, "");
    if (name == "SANDBOX") OfferSandboxes("");
    if (name == "FROM" || name == "TO") {
      OfferSandboxes(":");
      found_.after = Completion::After::kNothing;
    }
    constexpr std::string_view kFiles[] = {"FILE", "PATH", "FROM", "TO"};
    const bool file = std::any_of(std::begin(kFiles), std::end(kFiles),
                                  [&](std::string_view one) { return type == one || name == one; });
    if (file) found_.names = Names::kFiles;
    if (type == "DIR" || name == "DIR") found_.names = Names::kDirectories;
  }

  void OfferOptions(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional() || option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames()) {
        Offer("--" + name, Brief(option->get_description()));
      }
      if (begun_.starts_with("--")) continue;
      for (const std::string& name : option->get_snames()) {
        Offer("-" + name, Brief(option->get_description()));
      }
    }
  }

  void OfferCommands(const CLI::App& command) {
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
      if (!one->get_group().empty()) Offer(one->get_name(), Brief(one->get_description()));
    }
  }

  Completion Take() { return std::move(found_); }
  void AllowFiles() { found_.names = Names::kFiles; }

 private:
  void OfferSandboxes(const std::string& suffix) {
    for (Candidate& one : sandboxes_()) Offer(one.text + suffix, std::move(one.help));
  }

  const std::string_view begun_;
  const SandboxNames& sandboxes_;
  Completion found_;
};

// An option and the beginning of its value in one word.
const CLI::Option* JoinedOption(const CLI::App& command, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string::npos) return nullptr;
  return FindOption(command, word.substr(0, equals));
}

}  // namespace

std::vector<std::string> ListedValues(const std::string& type_name) {
  std::vector<std::string> values;
  std::string_view rest = type_name;
  if (rest.find('|') == std::string_view::npos) return values;
  while (!rest.empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    const std::string_view value = rest.substr(0, bar);
    rest.remove_prefix(std::min(bar + 1, rest.size()));
    // One that says what follows it is no value by itself.
    if (!value.empty() && value.find_first_of(":.") == std::string_view::npos) {
      values.emplace_back(value);
    }
  }
  return values;
}

Completion Complete(const CLI::App& program, const std::vector<std::string>& words,
                    const SandboxNames& sandboxes) {
  if (words.empty()) return {};
  Place place{&program};
  for (std::size_t i = 0; i + 1 < words.size() && !place.after_dashes; ++i) place.Pass(words[i]);
  const std::string begun = words.back() == "=" ? "" : words.back();
  Finder finder(begun, sandboxes);
  if (place.after_dashes) {
    finder.AllowFiles();  // a program and what it is given
  } else if (place.pending != nullptr) {
    finder.OfferValues(*place.pending, "");
  } else if (const CLI::Option* const joined = JoinedOption(*place.command, begun)) {
    finder.OfferValues(*joined, begun.substr(0, begun.find('=') + 1));
  } else if (begun.starts_with('-')) {
    finder.OfferOptions(*place.command);
  } else {
    if (place.positionals == 0) finder.OfferCommands(*place.command);
    const std::vector<const CLI::Option*> all = Positionals(*place.command);
    // The last may be given several times.
    if (!all.empty()) {
      finder.OfferValues(*all[std::min(place.positionals, all.size() - 1)], "");
    }
  }
  return finder.Take();
}

}  // namespace cordon::cli
