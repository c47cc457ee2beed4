#include <algorithm>
#include <charconv>

#include "inside/look.h"

namespace cordon::inside {
namespace {

constexpr std::size_t kMostProcesses = 4096;
constexpr std::size_t kLongestText = 1024;

// One line, whatever a program calls itself.
std::string Flat(std::string_view text) {
  std::string flat(text.substr(0, kLongestText));
  std::replace_if(
      flat.begin(), flat.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return flat;
}

void Line(std::string& text, std::string_view key, std::string_view value) {
  text.append(key).append(" ").append(Flat(value)).append("\n");
}

std::string_view TakeWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

template <typename Value>
Value TakeNumber(std::string_view& text) {
  const std::string_view word = TakeWord(text);
  Value value = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  return failed == std::errc() && end == word.data() + word.size() ? value : Value{0};
}

View::Process TakeProcess(std::string_view text) {
  View::Process process;
  process.id = TakeNumber<std::uint32_t>(text);
  process.parent = TakeNumber<std::uint32_t>(text);
  process.memory = TakeNumber<std::uint64_t>(text);
  process.cpu_ms = TakeNumber<std::uint64_t>(text);
  const auto name = TakeNumber<std::size_t>(text);
  process.program = text.substr(0, name);
  text.remove_prefix(std::min(name + 1, text.size()));
  process.arguments = text;
  return process;
}

void TakeLine(View& view, std::string_view key, std::string_view value) {
  if (key == "kernel") view.kernel = value;
  if (key == "log") view.kernel_log = value;
  if (key == "user") view.user = TakeNumber<std::uint32_t>(value);
  if (key == "capabilities") view.capabilities = value;
  if (key == "seccomp") view.seccomp = value;
  if (key == "no-new-privileges") view.no_new_privileges = value == "1";
  if (key == "read-only-root") view.read_only_root = value == "1";
  if (key == "interface" && view.interfaces.size() < kMostProcesses) {
    view.interfaces.emplace_back(value);
  }
  if (key == "disk") view.disk = TakeNumber<std::uint64_t>(value);
  if (key == "port" && view.ports.size() < 65536) {
    view.ports.push_back(TakeNumber<std::uint16_t>(value));
  }
  if (key == "process" && view.processes.size() < kMostProcesses) {
    view.processes.push_back(TakeProcess(value));
  }
}

}  // namespace

std::string Encode(const View& view) {
  std::string text;
  Line(text, "kernel", view.kernel);
  Line(text, "log", view.kernel_log);
  Line(text, "user", std::to_string(view.user));
  Line(text, "capabilities", view.capabilities);
  Line(text, "seccomp", view.seccomp);
  Line(text, "no-new-privileges", view.no_new_privileges ? "1" : "0");
  Line(text, "read-only-root", view.read_only_root ? "1" : "0");
  for (const std::string& one : view.interfaces) Line(text, "interface", one);
  Line(text, "disk", std::to_string(view.disk));
  for (const std::uint16_t port : view.ports) Line(text, "port", std::to_string(port));
  for (const View::Process& one : view.processes) {
    const std::string name = Flat(one.program);
    std::string line = std::to_string(one.id);
    for (const std::uint64_t number :
         {std::uint64_t{one.parent}, one.memory, one.cpu_ms, std::uint64_t{name.size()}}) {
      line.append(" ").append(std::to_string(number));
    }
    line.append(" ").append(name).append(" ").append(one.arguments);
    Line(text, "process", line);
  }
  return text;
}

View DecodeView(std::string_view text) {
  View view;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view key = TakeWord(line);
    TakeLine(view, key, line);
  }
  return view;
}

}  // namespace cordon::inside
