#include "shell/mentions.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/percent.h"
#include "shell/programs/options.h"

namespace cordon::shell {
namespace {

// They print, compute or keep words and open none of them.
constexpr std::string_view kOnlyText =
    "echo printf : true false test [ expr seq yes exit return logout set shift unset alias unalias "
    "export declare typeset local readonly read mapfile readarray kill pkill killall sleep type "
    "hash which whereis let getopts umask ulimit basename dirname tr cd chdir pushd popd help "
    "wait jobs fg bg trap eval shopt complete compgen pgrep pidof";

// Their words are told of where they are read: patterns, scripts, and whole commands.
constexpr std::string_view kTellThemselves =
    "grep egrep fgrep zgrep rgrep rg ag ack jq yq sed gsed awk gawk mawk nawk find gfind fd fdfind "
    "sh bash dash ash zsh ksh mksh fish rbash env sudo doas pkexec su runuser flock chroot xargs "
    "nohup setsid busybox toybox catchsegv unbuffer fakeroot caffeinate nice ionice timeout "
    "gtimeout stdbuf time chrt taskset strace ltrace watch unshare nsenter systemd-run firejail "
    "bwrap builtin command exec faketime dbus-run-session xvfb-run setarch linux32 linux64 i386 "
    "x86_64";

// Options whose value is left out, or is prose.
constexpr std::string_view kNoFiles =
    "--exclude --exclude-dir --ignore --ignore-pattern --message --body --title --description "
    "--notes --subject --grep --author --committer --format --pretty --date";

bool IsOption(const Word& word) {
  return word.size() > 1 && word.text()[0] == '-' && word.mark(0) == Mark::kLiteral;
}

bool HasPrefixInAnyCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char wanted, char byte) {
    return wanted == (byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte);
  });
}

// "https://..." names nothing here, whatever its path is called.
bool IsElsewhere(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::size_t begin = text.find_last_of("=@, ", scheme);
  return !HasPrefixInAnyCase(text.substr(begin == std::string_view::npos ? 0 : begin + 1), "file:");
}

void AddParts(const Word& word, std::vector<Word>& words) {
  if (word.empty() || IsElsewhere(word.text())) return;
  // ":!x" and ":^x" are what git shall leave out.
  if (word.text().starts_with(":!") || word.text().starts_with(":^") ||
      word.text().starts_with('!')) {
    return;
  }
  words.push_back(word);
  constexpr std::string_view kBetween = "=@:,;<>(){}|";
  if (word.text().find_first_of(kBetween) == std::string::npos) return;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.text().find_first_of(kBetween, begin), word.size());
    if (end > begin) {
      words.push_back(word.Sub(begin, end - begin));
      // What follows may hold any of these bytes itself.
      if (begin > 0) words.push_back(word.Sub(begin));
    }
    begin = end + 1;
  }
  if (word.text().find('%') == std::string::npos || !word.exact()) return;
  const std::size_t path = word.text().find('/');
  if (path == std::string::npos) return;
  if (Result<std::string> decoded = PercentDecode(std::string_view(word.text()).substr(path))) {
    words.emplace_back(*decoded);
  }
}

}  // namespace

std::vector<Word> MentionedBy(const Call& call) {
  std::vector<Word> words;
  const std::string_view name = std::string_view(call.name).substr(call.name.rfind('/') + 1);
  if (IsOneOf(name, kOnlyText) || IsOneOf(name, kTellThemselves)) return words;
  const std::vector<Word>& given = call.arguments;
  if (name == "git" && !given.empty() && given[0].Is("check-ignore")) return words;
  words.emplace_back(call.name);
  const bool says = IsOneOf(name, "git gh glab hg svn");
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Word& word = given[i];
    if (!IsOption(word)) {
      AddParts(word, words);
    } else if (word.text()[1] == '-') {
      const std::size_t equals = word.text().find('=');
      if (IsOneOf(word.text().substr(0, equals), kNoFiles)) {
        if (equals == std::string::npos) ++i;
      } else if (equals != std::string::npos) {
        AddParts(word.Sub(equals + 1), words);
      }
    } else if (says && word.text().ends_with('m')) {  // -m, -am
      ++i;
    } else if (word.size() > 2 && !(says && word.text()[1] == 'm')) {
      AddParts(word.Sub(2), words);
    }
  }
  return words;
}

std::vector<Word> WordsOfCode(const Word& code) {
  constexpr std::string_view kBetween = " \t\r\n\"'`()[]{}<>;,|&=";
  std::vector<Word> words;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.text().find_first_of(kBetween, begin), code.size());
    if (end > begin && end - begin < 4096) words.push_back(code.Sub(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Word WithDots(const Word& pattern) {
  Word dotted;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool begins = i == 0 || pattern.text()[i - 1] == '/';
    const char byte = pattern.text()[i];
    const bool any_depth = pattern.Sub(i, 2).text() == "**";
    const bool wild = begins && pattern.mark(i) == Mark::kGlob && !any_depth;
    // Of "*.c" only ".c": ".env.c", which a rule may cover, is what nobody means.
    const bool ending = wild && pattern.Sub(i, 2).text() == "*.";
    if (wild && !ending && (byte == '*' || byte == '?')) dotted.Add('.', Mark::kLiteral);
    if (!ending && !(wild && byte == '?')) dotted.Add(byte, pattern.mark(i));
  }
  return dotted;
}

}  // namespace cordon::shell
