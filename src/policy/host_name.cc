#include "policy/host_name.h"

#include <algorithm>

namespace cordon::policy {
namespace {

constexpr std::size_t kMaxName = 253;
constexpr std::size_t kMaxLabel = 63;

bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }
bool IsLower(char letter) { return letter >= 'a' && letter <= 'z'; }

std::string Lowered(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

// "12", "0x1f", "0x": what parsers of addresses in other programs take for a number.
bool IsNumber(std::string_view label) {
  if (label.starts_with("0x")) {
    return std::all_of(label.begin() + 2, label.end(),
                       [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
  }
  return std::all_of(label.begin(), label.end(), IsDigit);
}

std::string_view FaultOfLabel(std::string_view label) {
  if (label.empty()) return "a name has an empty part";
  if (label.size() > kMaxLabel) return "a part of the name is too long";
  if (label.front() == '-' || label.back() == '-')
    return "a part of the name has a hyphen at its end";
  return {};
}

}  // namespace

HostReading ReadHost(std::string_view untrusted) {
  if (untrusted.empty()) return std::string_view("the host is empty");
  // Before anything that looks like a name: only addresses have colons.
  if (untrusted.find(':') != std::string_view::npos) {
    if (const auto address = ParseIpv6(untrusted)) return *address;
    return std::string_view("this is no IPv6 address");
  }
  std::string name = Lowered(untrusted);
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return std::string_view("the host is empty");
  if (name.size() > kMaxName) return std::string_view("the name is too long");
  for (const char letter : name) {
    if (!IsDigit(letter) && !IsLower(letter) && letter != '-' && letter != '.') {
      return std::string_view("a name has letters, digits, hyphens and dots only");
    }
  }
  std::string_view last;
  for (std::string_view rest = name;;) {
    const std::size_t dot = rest.find('.');
    last = rest.substr(0, dot);
    if (const std::string_view fault = FaultOfLabel(last); !fault.empty()) return fault;
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  if (!IsNumber(last)) return name;
  if (const auto address = ParseIpv4(name)) return *address;
  return std::string_view("an IPv4 address is four decimal numbers");
}

}  // namespace cordon::policy
