// Feeds any bytes to the path grammars and name rules and checks what every
// caller relies on. The first byte picks the grammar and the rules.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/unicode.h"
#include "path/grammar.h"
#include "path/name_rules.h"
#include "path/windows_names.h"

namespace cordon::path {
namespace {

void Require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

const std::vector<std::string>& Roots(Grammar grammar) {
  static const std::vector<std::string> windows{R"(C:\s\r)", R"(\\n\p\r)"};
  static const std::vector<std::string> others{"/tmp/r", "/private/var/r"};
  return grammar == Grammar::kWindows ? windows : others;
}

enum class Ascent { kNever, kAnywhere, kAtTheBeginning };

void CheckComponents(const ParsedPath& path, Grammar grammar, Ascent ascent) {
  bool beginning = true;
  for (const std::string& part : path.components) {
    Require(!part.empty() && part != ".", "a component is empty or a dot");
    Require(part.find('/') == std::string::npos, "a component has a separator");
    Require(part.find('\0') == std::string::npos, "a component has a NUL");
    if (part == "..") {
      Require(ascent == Ascent::kAnywhere || (ascent == Ascent::kAtTheBeginning && beginning),
              "a component leads up");
      continue;
    }
    beginning = false;
    if (grammar == Grammar::kWindows) {
      Require(part.find_first_of("\\:") == std::string::npos, "a separator or stream is left");
      Require(!IsReservedDeviceName(part), "a device is left");
      Require(StripNtfsDecoration(part) == part, "a decoration is left");
    }
  }
}

std::string Join(const ParsedPath& path) {
  std::string joined = ".";
  for (const std::string& part : path.components) joined += "/" + part;
  return joined;
}

void CheckParse(Grammar grammar, std::string_view text) {
  const std::vector<std::string>& roots = Roots(grammar);
  const Result<ParsedPath> parsed = Parse(grammar, text, roots);
  const std::string names = NamesBelowRoot(grammar, text, roots);
  if (!parsed) {
    Require(parsed.error().code == ErrorCode::kInvalidPath ||
                parsed.error().code == ErrorCode::kPathOutsideProject,
            "an error of another kind");
    return;
  }
  CheckComponents(*parsed, grammar,
                  grammar == Grammar::kWindows ? Ascent::kNever : Ascent::kAnywhere);
  Require(parsed->components.empty() || parsed->components.front() != "..", "it begins by leaving");
  const Result<ParsedPath> again = Parse(grammar, Join(*parsed), roots);
  Require(again && again->components == parsed->components, "a parsed path parses otherwise");
  for (const std::string& part : parsed->components) {
    Require(names.find(part) != std::string::npos, "a name is hidden from the deny list");
  }
}

void CheckLink(Grammar grammar, std::string_view text) {
  const LinkReading reading = ReadLinkText(grammar, text, Roots(grammar));
  if (reading.kind == LinkReading::Kind::kOutside) {
    Require(reading.path.components.empty(), "components of a link that leads outside");
    return;
  }
  const bool relative = reading.kind == LinkReading::Kind::kRelative;
  const Ascent on_windows = relative ? Ascent::kAtTheBeginning : Ascent::kNever;
  CheckComponents(reading.path, grammar,
                  grammar == Grammar::kWindows ? on_windows : Ascent::kAnywhere);
}

void CheckNames(NameRules rules, std::string_view text) {
  const std::string key = NameKey(text, rules);
  Require(NameKey(key, rules) == key, "a key's key is another");
  // Whoever follows more rules takes more names for one. Dots alone are no name;
  // beyond ASCII the order of marks depends on what was dropped between them.
  const std::string wider = NameKey(text, NameRules::kAll);
  const bool is_name = wider.find_first_not_of(". ") != std::string::npos;
  Require(!is_name || !unicode::IsAscii(text) || NameKey(key, NameRules::kAll) == wider,
          "more rules tell apart what fewer do not");
  const std::string_view bare = StripNtfsDecoration(text);
  Require(IsShortNameShape(text) == IsShortNameShape(bare), "decoration changes the shape");
  const std::size_t half = text.size() / 2;
  const std::string_view name = text.substr(0, half);
  const std::string_view glob = text.substr(half);
  if (ShortNameMayAlias(name, glob)) Require(IsShortNameShape(name), "an alias without the shape");
  Require(ShortNameMayAlias(text, "*") == IsShortNameShape(text), "any alias stands for anything");
}

}  // namespace
}  // namespace cordon::path

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cordon::path::Grammar;
  if (size == 0) return 0;
  constexpr Grammar kGrammars[] = {Grammar::kPosix, Grammar::kWindows, Grammar::kMacos};
  const Grammar grammar = kGrammars[data[0] % 3];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  cordon::path::CheckParse(grammar, text);
  cordon::path::CheckLink(grammar, text);
  cordon::path::CheckNames(static_cast<cordon::path::NameRules>(data[0] / 3 % 16), text);
  return 0;
}
