// ParseConfig on any bytes: it never crashes, an error names its place, and what
// was read, written down again, is read as the same.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cordon/operation.h"
#include "policy/config.h"
#include "policy/deny_list.h"

namespace {

using cordon::Result;
using cordon::policy::Config;
using cordon::policy::ConfigScope;
using cordon::policy::DenyRule;

[[noreturn]] void Broken(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

// "f:LINE:COLUMN: " and something after it, on one line.
void CheckError(const std::string& detail) {
  std::string_view rest = detail;
  const auto number = [&] {
    std::size_t digits = 0;
    while (digits < rest.size() && std::isdigit(static_cast<unsigned char>(rest[digits])) != 0) {
      ++digits;
    }
    if (digits == 0 || rest[0] == '0') Broken("no position", detail);
    rest.remove_prefix(digits);
  };
  const auto literal = [&](std::string_view text) {
    if (!rest.starts_with(text)) Broken("no position", detail);
    rest.remove_prefix(text.size());
  };
  literal("f:");
  number();
  literal(":");
  number();
  literal(": ");
  if (rest.empty()) Broken("no message", detail);
  if (detail.find('\n') != std::string::npos) Broken("more than one line", detail);
}

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escaped[8];
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\') {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
      quoted += escaped;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

template <typename Texts>
std::string Quote(const Texts& texts) {
  std::string list = "[";
  for (const auto& text : texts) list += Quote(std::string_view(text)) + ", ";
  return list + "]";
}

std::string Write(const DenyRule& rule) {
  std::string text = "[[deny]]\npattern = " + Quote(std::string_view(rule.pattern)) + "\n";
  text += "except = " + Quote(rule.except) + "\n";
  std::string operations;
  for (std::size_t i = 0; i < rule.operations.size(); ++i) {
    if (!rule.operations.test(i)) continue;
    const auto operation = static_cast<cordon::Operation>(i);
    operations += Quote(cordon::OperationName(operation)) + ", ";
  }
  text += "operations = [" + operations + "]\n";
  if (!rule.reason.empty()) text += "reason = " + Quote(std::string_view(rule.reason)) + "\n";
  return text;
}

std::string Write(const Config& config) {
  std::string text;
  if (config.profile) {
    text += "profile = " + Quote(cordon::policy::ProfileName(*config.profile)) + "\n";
  }
  if (!config.roots.empty()) text += "roots = " + Quote(config.roots) + "\n";
  if (!config.read_only_roots.empty()) {
    text += "read_only_roots = " + Quote(config.read_only_roots) + "\n";
  }
  if (config.data_dir) text += "data_dir = " + Quote(std::string_view(*config.data_dir)) + "\n";
  if (config.read_only) text += *config.read_only ? "read_only = true\n" : "read_only = false\n";
  if (config.deny_sets) text += "deny_sets = " + Quote(*config.deny_sets) + "\n";
  for (const DenyRule& rule : config.deny) text += Write(rule);
  return text;
}

void CheckScope(std::string_view text, ConfigScope scope) {
  const Result<Config> config = cordon::policy::ParseConfig(text, "f", scope);
  if (!config) {
    CheckError(config.error().detail);
    return;
  }
  if (!cordon::policy::DenyList::Compile(config->deny)) Broken("rules do not compile", "");
  const std::string written = Write(*config);
  const Result<Config> again = cordon::policy::ParseConfig(written, "f", scope);
  if (!again) Broken("does not read its own writing", again.error().detail + "\n" + written);
  if (Write(*again) != written) Broken("reads something else", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckScope(text, ConfigScope::kOperator);
  CheckScope(text, ConfigScope::kWorkspace);
  return 0;
}
