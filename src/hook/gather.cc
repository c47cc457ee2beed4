#include "hook/gather.h"

#include <boost/json/array.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/percent.h"
#include "base/printable.h"
#include "base/try.h"
#include "hook/patch_paths.h"

namespace cordon::hook {
namespace {

namespace json = boost::json;

std::string_view TextOf(const json::value& value) {
  const json::string& text = value.get_string();
  return {text.data(), text.size()};
}

Error WrongType(const Field& field, std::string_view wanted) {
  std::string detail = "the field \"";
  detail += field.name;
  detail += "\" is not ";
  detail += wanted;
  return Malformed(std::move(detail));
}

// One text, or an array of them.
Result<std::vector<std::string>> Texts(const Field& field, const json::value& value) {
  std::vector<std::string> texts;
  if (value.is_string()) {
    texts.emplace_back(TextOf(value));
    return texts;
  }
  if (!value.is_array()) return WrongType(field, "text");
  for (const json::value& item : value.get_array()) {
    if (!item.is_string()) return WrongType(field, "text, nor a list of texts");
    texts.emplace_back(TextOf(item));
  }
  return texts;
}

// For a shell, so that it is the words again.
std::string QuotedWords(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

Status CheckCount(const Event& event) {
  if (event.paths.size() + event.commands.size() <= kMaxUses) return {};
  Error error = Malformed("it names more than " + std::to_string(kMaxUses) + " paths");
  error.code = ErrorCode::kLimitExceeded;
  return error;
}

// What the fields of one call say, before it is put together.
struct Said {
  std::vector<std::string> paths, patterns, commands;
  std::vector<PathUse> patched;
  std::string cwd;
};

Status Take(const Field& field, const json::value& value, Event& event, Said& said) {
  if (field.role == Role::kNested) return GatherUnknown({}, value, event);
  TRY_ASSIGN(std::vector<std::string> texts, Texts(field, value));
  switch (field.role) {
    case Role::kPath:
      for (std::string& text : texts) said.paths.push_back(std::move(text));
      return {};
    case Role::kPattern:
      for (std::string& text : texts) said.patterns.push_back(std::move(text));
      return {};
    case Role::kCommand:
      said.commands.push_back(value.is_string() ? std::move(texts.front()) : QuotedWords(texts));
      return {};
    case Role::kWorkingDirectory:
      if (!value.is_string()) return WrongType(field, "text");
      if (said.cwd.empty()) said.cwd = std::move(texts.front());
      return {};
    case Role::kPatch:
      for (const std::string& text : texts) {
        for (PathUse& use : PathsOfPatch(text)) said.patched.push_back(std::move(use));
      }
      return {};
    case Role::kNested: break;
  }
  return {};
}

// A pattern is read from the tool's own directory, if it names one.
std::string Below(const Said& said, std::string pattern) {
  if (said.paths.empty() || said.paths.front().empty() || pattern.starts_with('/')) return pattern;
  return said.paths.front() + "/" + pattern;
}

// "file:///etc/hosts" is a path, too.
std::string WithoutScheme(std::string_view text) {
  for (const std::string_view scheme : {"file://localhost/", "file:///"}) {
    if (!text.starts_with(scheme)) continue;
    if (Result<std::string> path = PercentDecode(text.substr(scheme.size() - 1))) {
      return std::move(*path);
    }
  }
  return std::string(text);
}

void TakeUnknown(const Guess& guess, std::string_view name, const json::value& value,
                 Event& event) {
  const std::string_view text = TextOf(value);
  if (name == "command" || name == "cmd") {
    event.commands.push_back({std::string(text), {}, CommandUse::Certainty::kPerhaps});
  } else if (SoundsLikePath(name) && !text.empty() && text.find('\n') == std::string_view::npos) {
    // Text of several lines is content under a name that sounds like a path.
    event.paths.push_back({WithoutScheme(text), guess.operation});
  }
}

// Input is parsed with a limit to its depth, so this ends.
Status Search(const Guess& guess, std::string_view name, const json::value& value, Event& event) {
  if (value.is_object()) {
    for (const json::key_value_pair& member : value.get_object()) {
      const std::string_view key(member.key().data(), member.key().size());
      TRY(Search(guess, key, member.value(), event));
    }
  } else if (value.is_array()) {
    for (const json::value& item : value.get_array()) {
      TRY(Search(guess, name, item, event));
    }
  } else if (value.is_string()) {
    TakeUnknown(guess, name, value, event);
  }
  return CheckCount(event);
}

}  // namespace

Error Malformed(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "hook";
  error.rule = "hook";
  error.detail = std::move(detail);
  return error;
}

Status GatherKnown(const Tool& tool, const json::object& input, Event& event) {
  event.kind = tool.kind;
  Said said;
  for (const Field& field : tool.fields) {
    const json::value* value = input.if_contains(field.name);
    if (value == nullptr || value->is_null()) continue;
    TRY(Take(field, *value, event, said));
  }
  if (tool.needs == Needs::kOneOfThem && said.paths.empty() && said.patterns.empty() &&
      said.commands.empty() && said.patched.empty()) {
    return Malformed("a call of " + Quoted(tool.name) +
                     " names no path, command or patch that could be judged");
  }
  for (std::string& pattern : said.patterns) {
    event.paths.push_back(
        {Below(said, std::move(pattern)), tool.operation, PathUse::Form::kPattern});
  }
  for (std::string& path : said.paths) event.paths.push_back({std::move(path), tool.operation});
  for (PathUse& use : said.patched) event.paths.push_back(std::move(use));
  for (std::string& text : said.commands) {
    event.commands.push_back({std::move(text), said.cwd, CommandUse::Certainty::kShell});
  }
  return CheckCount(event);
}

Status GatherUnknown(std::string_view tool, const json::value& input, Event& event) {
  const Guess guess = GuessByName(tool);
  event.kind = guess.kind;
  return Search(guess, {}, input, event);
}

}  // namespace cordon::hook
