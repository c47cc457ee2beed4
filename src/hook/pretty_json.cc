#include "hook/pretty_json.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

namespace cordon::hook {
namespace {

namespace json = boost::json;

class Writer {
 public:
  explicit Writer(std::string_view indent) : indent_(indent) {}

  void Write(const json::value& value) {
    if (value.is_object()) {
      WriteObject(value.get_object());
    } else if (value.is_array()) {
      WriteArray(value.get_array());
    } else if (value.is_double()) {
      WriteDouble(value.get_double());
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

  void WriteDouble(double number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    const std::string_view written(digits.data(), static_cast<std::size_t>(end - digits.data()));
    text_ += written;
    // Else it would be another kind of number when it is read again.
    if (written.find_first_of(".en") == std::string_view::npos) text_ += ".0";
  }

  std::string_view indent_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace

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
