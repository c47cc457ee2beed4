#include "shell/rule_match.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "policy/deny_list.h"
#include "policy/host_name.h"
#include "policy/pattern.h"
#include "shell/rule_words.h"

namespace cordon::shell {
namespace {

using policy::CommandRule;
using Arguments = std::span<const Argument>;

constexpr std::array<std::string_view, 5> kStandardFolders{"/bin", "/usr/bin", "/sbin", "/usr/sbin",
                                                           "/usr/local/bin"};

Match And(Match one, Match other) { return std::min(one, other); }
Match Or(Match one, Match other) { return std::max(one, other); }

bool IsPath(std::string_view name) { return name.find('/') != std::string_view::npos; }

Match FindsName(const CommandRule& rule, const Argument& name) {
  if (rule.program.empty()) return Match::kYes;
  if (name.exactness != Exactness::kExact) return Match::kPerhaps;
  const bool whole = IsPath(rule.program);
  return IsLike(rule.program, whole ? std::string_view(name.text) : LastName(name.text))
             ? Match::kYes
             : Match::kNo;
}

// Options of git itself that have a value.
constexpr std::array<std::string_view, 8> kGitValued{
    "-C",          "-c",          "--git-dir",      "--work-tree",
    "--namespace", "--exec-path", "--super-prefix", "--config-env"};

// From the subcommand on, past git's own options.
Arguments FromSubcommand(Arguments arguments) {
  std::size_t at = 0;
  while (at < arguments.size() && arguments[at].exactness == Exactness::kExact &&
         arguments[at].text.starts_with('-')) {
    const bool valued =
        std::find(kGitValued.begin(), kGitValued.end(), arguments[at].text) != kGitValued.end();
    at += valued ? 2 : 1;
  }
  return arguments.subspan(std::min(at, arguments.size()));
}

Match FindsAnywhere(std::string_view word, Arguments arguments, Clusters clusters) {
  Match found = Match::kNo;
  for (const Argument& argument : arguments) {
    found = Or(found, FindsWord(word, argument, clusters));
  }
  return found;
}

Match FindsArguments(const CommandRule& rule, const Program& program) {
  Arguments arguments = program.arguments;
  std::span<const std::string> words = rule.arguments;
  const std::string_view name = LastName(program.name.text);
  // "-name" of find is no "-n -a -m -e".
  const Clusters clusters = name == "find" ? Clusters::kNone : Clusters::kOfLetters;
  Match found = Match::kYes;
  // What a word says to git depends on where it stands: "git add push" pushes nothing.
  if (name == "git" && !words.empty() && !words.front().starts_with('-')) {
    arguments = FromSubcommand(arguments);
    if (arguments.empty()) return Match::kNo;
    found = FindsWord(words.front(), arguments.front(), Clusters::kNone);
    // What is not known may be several words.
    if (arguments.front().exactness == Exactness::kExact) arguments = arguments.subspan(1);
    words = words.subspan(1);
  }
  for (const std::string& word : words) {
    found = And(found, FindsAnywhere(word, arguments, clusters));
  }
  return found;
}

// The host in a URL, in what ssh and git take, or alone; nothing: it cannot be told.
std::string_view HostIn(std::string_view target) {
  if (const std::size_t scheme = target.find("://"); scheme != std::string_view::npos) {
    target.remove_prefix(scheme + 3);
  }
  target = target.substr(0, target.find_first_of("/?#"));
  if (const std::size_t user = target.rfind('@'); user != std::string_view::npos) {
    target.remove_prefix(user + 1);
  }
  if (target.starts_with('[')) return target.substr(1, target.find(']') - 1);
  return target.substr(0, target.find(':'));
}

bool NamesHost(std::string_view wanted, const policy::HostReading& found) {
  if (wanted.starts_with("*.")) {
    const auto* const name = std::get_if<std::string>(&found);
    const policy::HostReading domain = policy::ReadHost(wanted.substr(2));
    const auto* const below = std::get_if<std::string>(&domain);
    return name != nullptr && below != nullptr && name->ends_with("." + *below);
  }
  return policy::ReadHost(wanted) == found;
}

// Whether a deny rule with this pattern would cover the path.
Match Covered(std::string_view pattern, const std::string& path, Extent extent) {
  policy::DenyRule rule;
  rule.pattern = pattern;
  const Result<policy::DenyList> list = policy::DenyList::Compile({std::move(rule)});
  if (!list) return Match::kPerhaps;
  const policy::DenyList::Verdict verdict = list->Check(path, Operation::kWrite);
  if (verdict.denied) return Match::kYes;
  if (!verdict.suspects.empty()) return Match::kPerhaps;
  const bool below = extent == Extent::kTree && list->CoversBelow(path, Operation::kWrite);
  return below ? Match::kPerhaps : Match::kNo;
}

// Where a pattern begins to count.
Start StartOf(std::string_view pattern) {
  if (pattern.starts_with("~/")) return Start::kHome;
  return pattern.starts_with('/') ? Start::kRoot : Start::kWorkingDirectory;
}

}  // namespace

std::string_view LastName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool IsWrite(const FileUse& use) {
  return use.access == Access::kWrite || use.access == Access::kDelete;
}

bool IsBy(const CommandRule& rule, std::string_view by) {
  return rule.program.empty() || IsLike(LastName(rule.program), LastName(by));
}

Match FindsProgram(const CommandRule& rule, const Program& program) {
  const Match named = FindsName(rule, program.name);
  return named == Match::kNo ? named : And(named, FindsArguments(rule, program));
}

bool CoversProgram(const CommandRule& rule, const Program& program) {
  const std::string& name = program.name.text;
  if (rule.program.empty() || FindsName(rule, program.name) != Match::kYes) return false;
  if (IsPath(name) && !IsPath(rule.program)) {
    const std::string_view folder = std::string_view(name).substr(0, name.rfind('/'));
    const auto* const end = kStandardFolders.end();
    if (std::find(kStandardFolders.begin(), end, folder) == end) return false;
  }
  if (program.arguments.size() < rule.arguments.size()) return false;
  for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
    const Argument& given = program.arguments[i];
    if (given.exactness != Exactness::kExact || !IsLike(rule.arguments[i], given.text)) {
      return false;
    }
  }
  return std::none_of(program.arguments.begin(), program.arguments.end(),
                      [](const Argument& one) { return one.exactness == Exactness::kUnknown; });
}

Match FindsHost(const CommandRule& rule, const NetworkUse& use) {
  if (use.exactness != Exactness::kExact || use.target.empty()) return Match::kPerhaps;
  const policy::HostReading found = policy::ReadHost(HostIn(use.target));
  if (std::holds_alternative<std::string_view>(found)) return Match::kPerhaps;
  return NamesHost(rule.host, found) ? Match::kYes : Match::kNo;
}

Match FindsWrite(const CommandRule& rule, const FileUse& use) {
  if (!IsWrite(use)) return Match::kNo;
  if (use.exactness != Exactness::kExact || use.start == Start::kUnknown) return Match::kPerhaps;
  std::string path = use.path;
  if (use.start == Start::kHome && !path.empty()) path.erase(0, 1);  // "~"
  std::string pattern = rule.writes;
  if (pattern.find('/') == std::string::npos) return Covered(pattern, path, use.extent);
  const Start wanted = StartOf(pattern);
  if (wanted == Start::kHome) pattern.erase(0, 1);
  if (wanted == use.start) return Covered(pattern, path, use.extent);
  // An absolute path may lead into the working directory, or home.
  const bool somewhere =
      wanted != Start::kRoot && Covered("**/" + pattern.substr(pattern.starts_with('/') ? 1 : 0),
                                        path, use.extent) != Match::kNo;
  return somewhere ? Match::kPerhaps : Match::kNo;
}

}  // namespace cordon::shell
