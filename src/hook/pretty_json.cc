#include "hook/pretty_json.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "base/try.h"

namespace cordon::hook {
namespace {

namespace json = boost::json;

// Before the digits of a number that is kept as text.
constexpr std::string_view kMark = "\x01number ";

std::optional<std::string_view> KeptNumber(const json::value& value) {
  const json::string* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  const std::string_view whole(text->data(), text->size());
  if (!whole.starts_with(kMark)) return std::nullopt;
  return whole.substr(kMark.size());
}

// What a text has, and what was read from it: where they differ, something would be lost.
struct Count {
  std::size_t numbers = 0;
  std::size_t members = 0;
  bool operator==(const Count&) const = default;
};

void CountIn(const json::value& value, Count& count) {
  if (KeptNumber(value)) ++count.numbers;
  if (value.is_array()) {
    for (const json::value& element : value.get_array()) CountIn(element, count);
  } else if (value.is_object()) {
    count.members += value.get_object().size();
    for (const json::key_value_pair& member : value.get_object()) CountIn(member.value(), count);
  }
}

// Valid JSON, with each number as a marked text.
std::string MarkNumbers(std::string_view text, Count& count) {
  std::string marked;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (in_text && c == '\\') {
      marked.append(text.substr(i, 2));
      i += 2;
    } else if (!in_text && (c == '-' || (c >= '0' && c <= '9'))) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789+-.eE", i), text.size());
      marked.append("\"\\u0001number ").append(text.substr(i, end - i)).append("\"");
      ++count.numbers;
      i = end;
    } else {
      if (c == '"') in_text = !in_text;
      if (c == ':' && !in_text) ++count.members;
      marked += c;
      ++i;
    }
  }
  return marked;
}

Error NotJson(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "settings";
  error.detail = std::move(detail);
  return error;
}

Result<json::value> ParsePlain(std::string_view text) {
  json::parse_options options;
  options.max_depth = 64;
  json::error_code failure;
  json::value value = json::parse({text.data(), text.size()}, failure, {}, options);
  if (failure) return NotJson(failure.message());
  return value;
}

class Writer {
 public:
  explicit Writer(std::string_view indent) : indent_(indent) {}

  void Write(const json::value& value) {
    if (value.is_object()) {
      WriteObject(value.get_object());
    } else if (value.is_array()) {
      WriteArray(value.get_array());
    } else if (const std::optional<std::string_view> number = KeptNumber(value)) {
      text_ += *number;
    } else {
      text_ += json::serialize(value);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  void NewLine() {
    text_ += '\n';
    for (std::size_t i = 0; i < depth_; ++i) text_ += indent_;
  }

  void WriteObject(const json::object& object) {
    if (object.empty()) {
      text_ += "{}";
      return;
    }
    char before = '{';
    ++depth_;
    for (const json::key_value_pair& member : object) {
      text_ += before;
      before = ',';
      NewLine();
      text_ += json::serialize(json::string(member.key()));
      text_ += ": ";
      Write(member.value());
    }
    --depth_;
    NewLine();
    text_ += '}';
  }

  void WriteArray(const json::array& array) {
    if (array.empty()) {
      text_ += "[]";
      return;
    }
    char before = '[';
    ++depth_;
    for (const json::value& element : array) {
      text_ += before;
      before = ',';
      NewLine();
      Write(element);
    }
    --depth_;
    NewLine();
    text_ += ']';
  }

  std::string_view indent_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace

Result<json::value> ParseKeepingNumbers(std::string_view text) {
  TRY(ParsePlain(text));  // else what is wrong could be made right by the marks
  Count there;
  TRY_ASSIGN(json::value value, ParsePlain(MarkNumbers(text, there)));
  Count read;
  CountIn(value, read);
  // A member that was there twice, or a text that looks like one of our marks.
  if (read != there) return NotJson("a member is there twice, or a text looks like a number");
  return value;
}

std::string PrettyJson(const json::value& value, std::string_view indent) {
  Writer writer(indent);
  writer.Write(value);
  return writer.Take();
}

std::string IndentOf(std::string_view json) {
  constexpr std::string_view kUsual = "  ";
  if (!json.starts_with("{\n")) return std::string(kUsual);
  json.remove_prefix(2);
  const std::size_t end = json.find_first_not_of(" \t");
  if (end == 0 || end == std::string_view::npos || end > 16 || json[end] != '"') {
    return std::string(kUsual);
  }
  return std::string(json.substr(0, end));
}

}  // namespace cordon::hook
