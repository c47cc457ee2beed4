#include "hook/gather.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/try.h"
#include "hook/file_uri.h"
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
  if (event.paths.size() + event.commands.size() <= kMaxUses &&
      event.mentions.size() <= 4 * kMaxUses) {
    return {};
  }
  Error error = Malformed("it names more than " + std::to_string(kMaxUses) + " paths");
  error.code = ErrorCode::kLimitExceeded;
  return error;
}

// What the fields of one call say, before it is put together.
struct Said {
  std::vector<std::string> paths, patterns, filters, commands, typed;
  std::vector<PathUse> patched;
  std::string cwd;
};

// What is typed goes to a program that is there already. Whole lines can be read as commands;
// a part of one, or keys that edit it, cannot.
Status TakeTyped(const std::string& text, Said& said) {
  constexpr std::string_view kEnds = "\x03\x04";  // they interrupt, or end the input
  const std::size_t begin = text.find_first_not_of(kEnds);
  if (begin == std::string::npos) return {};
  const std::string rest = text.substr(begin);
  const auto is_key = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r') || byte == 0x7f;
  };
  if (std::any_of(rest.begin(), rest.end(), is_key)) {
    return Malformed(
        "what is to be typed holds control characters, which may edit or complete "
        "it; type plain lines");
  }
  if (!rest.ends_with('\n') && !rest.ends_with('\r')) {
    return Malformed("what is to be typed is no whole line; end it with a newline");
  }
  std::string lines = rest;
  std::replace(lines.begin(), lines.end(), '\r', '\n');
  said.typed.push_back(std::move(lines));
  return {};
}

// "*.ts, *.{a,b}" as its globs; those with "!" leave something out.
void TakeFilter(std::string_view text, Said& said) {
  std::string glob;
  int depth = 0;
  const auto end = [&] {
    if (!glob.empty() && !glob.starts_with('!')) said.filters.push_back(glob);
    glob.clear();
  };
  for (const char c : text) {
    if (c == '{') ++depth;
    if (c == '}') --depth;
    const bool between = c == ' ' || c == '\t' || c == '\n' || (c == ',' && depth <= 0);
    if (between) {
      end();
    } else {
      glob += c;
    }
  }
  end();
}

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
    case Role::kFilter:
      for (const std::string& text : texts) TakeFilter(text, said);
      return {};
    case Role::kTyped:
      for (const std::string& text : texts) TRY(TakeTyped(text, said));
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

// No system takes a longer path.
constexpr std::size_t kLongestPath = 4095;

void AddPath(const Guess& guess, std::string_view text, Event& event) {
  const std::vector<std::string> named = PathsOfFileUri(text);
  for (const std::string& path : named) event.paths.push_back({path, guess.operation});
  if (named.empty()) event.paths.push_back({std::string(text), guess.operation});
}

// Text of several lines may be content under a name that sounds like a path, so what it names
// is only held against the rules: as a whole, and line by line.
void MentionLines(std::string_view text, Event& event) {
  if (text.size() > kLongestPath) return;
  event.mentions.emplace_back(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (end > 0) event.mentions.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "https://..." names nothing here, whatever its path is called.
bool IsElsewhere(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return scheme != std::string_view::npos && scheme > 0 && text.find('/') == scheme + 1;
}

void TakeUnknown(const Guess& guess, std::string_view name, std::string_view text, Event& event) {
  if (text.empty()) return;
  if (SoundsLikeCommand(name)) {
    event.commands.push_back({std::string(text), {}, CommandUse::Certainty::kPerhaps});
  }
  const bool lines = text.find_first_of("\r\n") != std::string_view::npos;
  if (SoundsLikePath(name) && lines) {
    MentionLines(text, event);
  } else if (SoundsLikePath(name) || !PathsOfFileUri(text).empty()) {
    AddPath(guess, text, event);
  } else if (!lines && text.size() <= kLongestPath && !IsElsewhere(text)) {
    event.mentions.emplace_back(text);
  }
}

// The words of one command.
void TakeWords(std::string_view name, const json::array& array, Event& event) {
  if (!SoundsLikeCommand(name)) return;
  std::vector<std::string> words;
  for (const json::value& item : array) {
    if (!item.is_string()) return;
    words.emplace_back(TextOf(item));
  }
  event.commands.push_back({QuotedWords(words), {}, CommandUse::Certainty::kPerhaps});
}

// Input is parsed with a limit to its depth, so this ends.
Status Search(const Guess& guess, std::string_view name, const json::value& value, Event& event) {
  if (value.is_object()) {
    for (const json::key_value_pair& member : value.get_object()) {
      const std::string_view key(member.key().data(), member.key().size());
      // {"files": {"a/b": "text"}}: the key is the path, and what it holds is not.
      const bool names = SoundsLikePath(name);
      TakeUnknown(guess, names ? name : std::string_view(), key, event);
      TRY(Search(guess, key, member.value(), event));
    }
  } else if (value.is_array()) {
    TakeWords(name, value.get_array(), event);
    for (const json::value& item : value.get_array()) {
      TRY(Search(guess, name, item, event));
    }
  } else if (value.is_string()) {
    TakeUnknown(guess, name, TextOf(value), event);
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
  for (const std::string& filter : said.filters) {
    event.paths.push_back({Below(said, "**/" + filter), tool.operation, PathUse::Form::kFilter});
  }
  for (std::string& path : said.paths) event.paths.push_back({std::move(path), tool.operation});
  for (PathUse& use : said.patched) event.paths.push_back(std::move(use));
  for (std::string& text : said.commands) {
    event.commands.push_back({std::move(text), said.cwd, CommandUse::Certainty::kShell});
  }
  for (std::string& text : said.typed) {
    event.commands.push_back({std::move(text), said.cwd, CommandUse::Certainty::kTyped});
  }
  return CheckCount(event);
}

Status GatherUnknown(std::string_view tool, const json::value& input, Event& event) {
  const Guess guess = GuessByName(tool);
  event.kind = guess.kind;
  return Search(guess, {}, input, event);
}

}  // namespace cordon::hook
