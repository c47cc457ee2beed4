#include "policy/deny_list.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/try.h"
#include "path/posix.h"
#include "policy/anchored_pattern.h"
#include "policy/pattern.h"

namespace cordon::policy {
namespace {

using path::NameRules;

struct NameRule {
  const DenyRule* rule;
  NamePattern pattern;
};

struct AnchoredRule {
  const DenyRule* rule;
  AnchoredPattern pattern;
};

std::size_t Index(Operation operation) { return static_cast<std::size_t>(operation); }

bool Applies(const DenyRule& rule, Operation operation) {
  return rule.operations.test(Index(operation)) ||
         (operation == Operation::kRename && rule.operations.any());
}

bool Excepts(const DenyRule& rule, std::string_view name) {
  return std::find(rule.except.begin(), rule.except.end(), name) != rule.except.end();
}

Error BadException(const std::string& name, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "compile pattern";
  error.component = name;
  error.detail = std::move(detail);
  return error;
}

Status CheckExceptions(const DenyRule& rule) {
  for (const std::string& name : rule.except) {
    if (name.empty()) return BadException(name, "an exception is empty");
    if (name.find_first_of("/*?[\\") != std::string::npos || name.find('\0') != std::string::npos) {
      return BadException(name,
                          "an exception is one plain name, without \"/\", \"*\", \"?\", \"[\", "
                          "\"\\\" and NUL");
    }
  }
  return {};
}

// The parts of `path`, with ".." resolved by text as far as it can be.
std::vector<PathPart> Collapse(std::string_view path) {
  std::vector<PathPart> parts;
  path::Components components(path);
  std::size_t index = 0;
  for (std::string_view name = components.Next(); !name.empty(); name = components.Next()) {
    if (name == ".." && !parts.empty() && parts.back().name != "..") {
      parts.pop_back();
    } else {
      parts.push_back({name, index, LookOf(name)});
    }
    ++index;
  }
  return parts;
}

bool HasParent(std::string_view path) { return path.find("..") != std::string_view::npos; }

}  // namespace

struct DenyList::Compiled {
  // What a byte can mean for a name that holds it.
  enum ByteClass : std::uint8_t {
    kSlash = 1,
    kOdd = 2,             // anywhere: the name may be an alias of any shape
    kFirst = 4,           // at the front: some pattern could match
    kLast = 8,            // at the end: some pattern could match
    kAnchoredFirst = 16,  // the same for the names that anchored patterns need
    kAnchoredLast = 32,
  };
  // What a look at all names of a path showed.
  enum class Anchored { kOutOfReach, kPossible, kPossibleWithOddNames };

  std::vector<DenyRule> rules;
  std::vector<NameRule> names;
  std::vector<AnchoredRule> anchored;
  std::array<std::uint8_t, 256> bytes{};
  // Rules by the byte, in lower case, that an ASCII name must begin or end with.
  std::array<std::vector<std::uint32_t>, 256> by_first;
  std::array<std::vector<std::uint32_t>, 256> by_last;
  std::vector<std::uint32_t> anywhere;

  void BuildIndex();
  void CheckName(const PathPart& part, Operation operation, Verdict& verdict) const;
  Anchored CheckNames(std::string_view path, Operation operation, Verdict& verdict) const;
  void CheckAnchored(const AnchoredRule& rule, std::string_view path, Anchored hint,
                     Verdict& verdict) const;
};

void DenyList::Compiled::BuildIndex() {
  for (std::size_t c = 0x80; c < 256; ++c) bytes[c] |= kOdd;
  bytes['/'] |= kSlash;
  bytes['~'] |= kOdd;
  bytes[':'] |= kOdd;
  const auto mark = [&](unsigned char byte, ByteClass value) {
    bytes[byte] |= value;
    if (byte >= 'a' && byte <= 'z') bytes[byte - 32] |= value;
  };
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const std::vector<unsigned char>& first = names[i].pattern.FirstBytes();
    const std::vector<unsigned char>& last = names[i].pattern.LastBytes();
    for (const unsigned char byte : first) {
      by_first[byte].push_back(i);
      mark(byte, kFirst);
    }
    if (!first.empty()) continue;
    for (const unsigned char byte : last) {
      by_last[byte].push_back(i);
      mark(byte, kLast);
    }
    if (last.empty()) anywhere.push_back(i);
  }
  bool always = false;
  for (const AnchoredRule& rule : anchored) {
    const std::vector<unsigned char>& first = rule.pattern.NeededName().FirstBytes();
    const std::vector<unsigned char>& last = rule.pattern.NeededName().LastBytes();
    for (const unsigned char byte : first) mark(byte, kAnchoredFirst);
    if (!first.empty()) continue;
    for (const unsigned char byte : last) mark(byte, kAnchoredLast);
    always = always || last.empty();
  }
  for (std::uint8_t& byte : bytes) {
    if (!anywhere.empty()) byte |= kFirst;
    if (always) byte |= kAnchoredFirst;
  }
}

void DenyList::Compiled::CheckName(const PathPart& part, Operation operation,
                                   Verdict& verdict) const {
  if (part.name == "..") return;
  std::optional<KeyedName> keyed;
  NameRules suspected = NameRules::kExact;
  const auto check = [&](const NameRule& rule) {
    if (verdict.denied || !Applies(*rule.rule, operation)) return;
    if (rule.pattern.Matches(part.name)) {
      if (Excepts(*rule.rule, part.name)) return;
      verdict.denied = Match{rule.rule, part.index, part.name, NameRules::kExact};
      return;
    }
    if (!rule.pattern.WorthAliasing(part.name, part.look)) return;
    if (!keyed) keyed.emplace(part.name);
    const NameRules when = rule.pattern.MayAlias(*keyed, part.look, rule.rule->except);
    if ((when & suspected) == when) return;
    suspected = suspected | when;
    verdict.suspects.push_back({rule.rule, part.index, part.name, when});
  };
  if (part.look == NameLook::kOdd) {
    for (const NameRule& rule : names) check(rule);
    return;
  }
  const auto lower = [](char c) {
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  };
  for (const std::uint32_t i : by_first[lower(part.name.front())]) check(names[i]);
  for (const std::uint32_t i : by_last[lower(part.name.back())]) check(names[i]);
  for (const std::uint32_t i : anywhere) check(names[i]);
}

DenyList::Compiled::Anchored DenyList::Compiled::CheckNames(std::string_view path,
                                                            Operation operation,
                                                            Verdict& verdict) const {
  const char* const end = path.data() + path.size();
  const char* begin = path.data();
  std::size_t component = 0;
  std::uint8_t hits = 0;
  while (begin < end) {
    std::uint8_t seen = 0;
    const char* at = begin;
    for (; at < end; ++at) {
      const std::uint8_t byte = bytes[static_cast<unsigned char>(*at)];
      if ((byte & kSlash) != 0) break;
      seen |= byte;
    }
    const auto length = static_cast<std::size_t>(at - begin);
    if (length > 1 || (length == 1 && *begin != '.')) {
      std::uint8_t hit = (seen & kOdd) |
                         (bytes[static_cast<unsigned char>(*begin)] & (kFirst | kAnchoredFirst)) |
                         (bytes[static_cast<unsigned char>(at[-1])] & (kLast | kAnchoredLast));
      if (at[-1] == '.' || at[-1] == ' ') hit |= kOdd;
      hits |= hit;
      if ((hit & (kOdd | kFirst | kLast)) != 0) {
        const NameLook look = (hit & kOdd) != 0 ? NameLook::kOdd : NameLook::kAscii;
        CheckName({std::string_view(begin, length), component, look}, operation, verdict);
        if (verdict.denied) break;
      }
      ++component;
    }
    begin = at + 1;
  }
  if ((hits & kOdd) != 0) return Anchored::kPossibleWithOddNames;
  return (hits & (kAnchoredFirst | kAnchoredLast)) != 0 ? Anchored::kPossible
                                                        : Anchored::kOutOfReach;
}

void DenyList::Compiled::CheckAnchored(const AnchoredRule& rule, std::string_view path,
                                       Anchored hint, Verdict& verdict) const {
  using Cursor = AnchoredPattern::Cursor;
  const auto report = [&](const Cursor& cursor) {
    for (const auto& [part, when] : cursor.suspects()) {
      verdict.suspects.push_back({rule.rule, part.index, part.name, when});
    }
  };
  Cursor cursor(rule.pattern, rule.rule->except);
  std::vector<Cursor> above;  // where ".." leads back to; unused as long as there is none
  const bool has_parent = HasParent(path);
  path::Components components(path);
  std::size_t index = 0;
  for (std::string_view name = components.Next(); !name.empty(); name = components.Next()) {
    const bool odd = hint == Anchored::kPossibleWithOddNames;
    const PathPart part{name, index++, odd ? LookOf(name) : NameLook::kAscii};
    if (name == "..") {
      if (above.empty()) continue;
      cursor = std::move(above.back());
      above.pop_back();
      continue;
    }
    if (has_parent) above.push_back(cursor);
    const Cursor::Step step = cursor.Next(part);
    if (step == Cursor::Step::kNever && !has_parent) return;
    if (step == Cursor::Step::kSuspect) report(cursor);
    if (step == Cursor::Step::kCovered) {
      verdict.denied = Match{rule.rule, part.index, part.name, NameRules::kExact};
      return;
    }
  }
}

OperationSet AllOperations() { return OperationSet().set(); }

DenyList::DenyList() = default;
DenyList::DenyList(DenyList&&) noexcept = default;
DenyList& DenyList::operator=(DenyList&&) noexcept = default;
DenyList::~DenyList() = default;

Result<DenyList> DenyList::Compile(std::vector<DenyRule> rules) {
  auto compiled = std::make_unique<Compiled>();
  compiled->rules = std::move(rules);
  for (const DenyRule& rule : compiled->rules) {
    TRY(CheckExceptions(rule));
    if (rule.pattern.find('/') == std::string::npos) {
      TRY_ASSIGN(NamePattern pattern, NamePattern::Compile(rule.pattern));
      compiled->names.push_back({&rule, std::move(pattern)});
    } else {
      TRY_ASSIGN(AnchoredPattern pattern, AnchoredPattern::Compile(rule.pattern));
      compiled->anchored.push_back({&rule, std::move(pattern)});
    }
  }
  compiled->BuildIndex();
  DenyList list;
  list.compiled_ = std::move(compiled);
  return list;
}

DenyList::Verdict DenyList::Check(std::string_view path, Operation operation) const {
  Verdict verdict;
  if (!compiled_) return verdict;
  const Compiled::Anchored hint = compiled_->CheckNames(path, operation, verdict);
  if (!verdict.denied && hint == Compiled::Anchored::kOutOfReach) return verdict;
  for (const AnchoredRule& rule : compiled_->anchored) {
    if (verdict.denied) break;
    if (!Applies(*rule.rule, operation)) continue;
    compiled_->CheckAnchored(rule, path, hint, verdict);
  }
  if (verdict.denied) verdict.suspects.clear();
  return verdict;
}

bool DenyList::CoversBelow(std::string_view path, Operation operation) const {
  if (!compiled_) return false;
  using Step = AnchoredPattern::Cursor::Step;
  const auto covers = [](const AnchoredRule& rule, const std::vector<PathPart>& parts) {
    AnchoredPattern::Cursor cursor(rule.pattern, rule.rule->except);
    for (const PathPart& part : parts) {
      const Step step = cursor.Next(part);
      if (step == Step::kCovered || step == Step::kSuspect) return true;
    }
    return cursor.CouldMatchBelow();
  };
  const std::vector<PathPart> parts = Collapse(path);
  return std::any_of(compiled_->anchored.begin(), compiled_->anchored.end(),
                     [&](const AnchoredRule& rule) {
                       return Applies(*rule.rule, operation) && covers(rule, parts);
                     });
}

const std::vector<DenyRule>& DenyList::rules() const {
  static const std::vector<DenyRule> kNone;
  return compiled_ ? compiled_->rules : kNone;
}

}  // namespace cordon::policy
