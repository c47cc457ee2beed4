#include "warden/git_config.h"

#include <algorithm>
#include <array>

namespace cordon::warden {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostSettings = 20'000;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// As git's own reader goes: byte by byte.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  std::optional<std::vector<GitSetting>> Run() {
    if (text_.size() > kMostBytes || text_.find('\0') != std::string_view::npos)
      return std::nullopt;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || IsSpace(c)) {
        ++at_;
      } else if (c == '#' || c == ';') {
        SkipLine();
      } else if (c == '[') {
        if (!Section()) return std::nullopt;
      } else if (!Setting()) {
        return std::nullopt;
      }
      if (settings_.size() > kMostSettings) return std::nullopt;
    }
    return std::move(settings_);
  }

 private:
  char Next() { return at_ < text_.size() ? text_[at_++] : '\n'; }
  void SkipLine() {
    while (Next() != '\n') {
    }
  }

  bool Section() {
    ++at_;
    current_ = {};
    while (true) {
      const char c = Next();
      if (c == ']') break;
      if (IsSpace(c)) {
        if (!Subsection()) return false;
        break;
      }
      // "[section.sub]" folds the case of both: an old form that git still reads.
      if (!IsNameByte(c) && c != '.') return false;
      current_.section.push_back(Lower(c));
    }
    const auto dot = current_.section.find('.');
    if (dot != std::string::npos) {
      if (!current_.subsection.empty()) return false;
      current_.subsection = current_.section.substr(dot + 1);
      current_.section.resize(dot);
    }
    return !current_.section.empty();
  }

  bool Subsection() {
    char c = Next();
    while (IsSpace(c)) c = Next();
    if (c != '"') return false;
    while ((c = Next()) != '"') {
      if (c == '\\') c = Next();
      if (c == '\n') return false;
      current_.subsection.push_back(c);
    }
    return Next() == ']';
  }

  bool Setting() {
    if (current_.section.empty()) return false;
    GitSetting setting = current_;
    char c = Next();
    while (IsNameByte(c)) {
      setting.key.push_back(Lower(c));
      c = Next();
    }
    if (setting.key.empty()) return false;
    while (IsSpace(c)) c = Next();
    if (c == '=') {
      if (!Value(setting.value)) return false;
    } else if (c == '#' || c == ';') {
      SkipLine();
    } else if (c != '\n') {
      return false;
    }
    settings_.push_back(std::move(setting));
    return true;
  }

  bool Value(std::string& value) {
    bool quoted = false;
    std::size_t kept = 0;  // white space at the end does not count unless quoted
    while (true) {
      char c = Next();
      if (c == '\n') {
        if (quoted) return false;
        value.resize(kept);
        return true;
      }
      if (!quoted && (c == '#' || c == ';')) {
        SkipLine();
        value.resize(kept);
        return true;
      }
      if (!quoted && IsSpace(c)) {
        if (!value.empty()) value.push_back(c);
        continue;
      }
      if (c == '"') {
        quoted = !quoted;
        continue;
      }
      if (c == '\\') {
        c = Next();
        if (c == '\n') continue;
        if (c == 'n')
          c = '\n';
        else if (c == 't')
          c = '\t';
        else if (c == 'b')
          c = '\b';
        else if (c != '\\' && c != '"')
          return false;
      }
      value.push_back(c);
      kept = value.size();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  GitSetting current_;
  std::vector<GitSetting> settings_;
};

template <std::size_t N>
bool OneOf(std::string_view key, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, key) != list.end();
}

bool IsHarmlessCore(const GitSetting& setting) {
  constexpr std::array<std::string_view, 24> kKeys = {"repositoryformatversion",
                                                      "filemode",
                                                      "bare",
                                                      "logallrefupdates",
                                                      "ignorecase",
                                                      "precomposeunicode",
                                                      "symlinks",
                                                      "sharedrepository",
                                                      "autocrlf",
                                                      "eol",
                                                      "safecrlf",
                                                      "compression",
                                                      "loosecompression",
                                                      "abbrev",
                                                      "whitespace",
                                                      "trustctime",
                                                      "checkstat",
                                                      "quotepath",
                                                      "untrackedcache",
                                                      "protecthfs",
                                                      "protectntfs",
                                                      "preloadindex",
                                                      "sparsecheckout",
                                                      "sparsecheckoutcone"};
  return setting.subsection.empty() && OneOf(setting.key, kKeys);
}

// "ext::" and other helpers run programs, and so does an option where a host is expected.
bool IsHarmlessUrl(std::string_view url) {
  if (url.starts_with('-')) return false;
  const auto scheme = url.find("://");
  if (url.find("::") < scheme && url.find("::") != std::string_view::npos) return false;
  std::string_view host = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  return !host.starts_with('-') && host.find("@-") == std::string_view::npos;
}

bool IsHarmlessRemote(const GitSetting& setting) {
  if (setting.key == "url" || setting.key == "pushurl") return IsHarmlessUrl(setting.value);
  constexpr std::array<std::string_view, 9> kKeys = {"fetch",
                                                     "push",
                                                     "tagopt",
                                                     "prune",
                                                     "prunetags",
                                                     "mirror",
                                                     "skipdefaultupdate",
                                                     "promisor",
                                                     "partialclonefilter"};
  return OneOf(setting.key, kKeys);
}

// Whatever section it is in, and whichever git will be the first to know it.
bool NamesAProgram(std::string_view key) {
  constexpr std::array<std::string_view, 11> kEndings = {
      "hook",   "hooks",  "hookspath", "command", "cmd",        "program",
      "helper", "editor", "pager",     "driver",  "templatedir"};
  return std::ranges::any_of(kEndings,
                             [key](std::string_view ending) { return key.ends_with(ending); });
}

bool IsHarmlessSubmodule(const GitSetting& setting) {
  if (setting.key == "url") return IsHarmlessUrl(setting.value);
  if (setting.key == "update") return !setting.value.starts_with('!');
  constexpr std::array<std::string_view, 7> kKeys = {
      "active", "branch", "ignore", "recurse", "fetchrecursesubmodules", "shallow", "path"};
  return OneOf(setting.key, kKeys);
}

}  // namespace

std::optional<std::vector<GitSetting>> ParseGitConfig(std::string_view text) {
  return Parser(text).Run();
}

bool IsHarmless(const GitSetting& setting) {
  const std::string& section = setting.section;
  if (section == "core") return IsHarmlessCore(setting);
  if (section == "remote") return IsHarmlessRemote(setting);
  if (section == "submodule") return IsHarmlessSubmodule(setting);
  if (section == "branch") {
    constexpr std::array<std::string_view, 8> kKeys = {
        "remote",     "merge",          "rebase",          "description",
        "pushremote", "autosetupmerge", "autosetuprebase", "sort"};
    // A path instead of a remote's name would make git run that repository's hooks.
    const bool path = setting.value.find('/') != std::string::npos;
    if (setting.key.ends_with("remote") && (path || !IsHarmlessUrl(setting.value))) return false;
    return OneOf(setting.key, kKeys);
  }
  if (section == "commit") {
    constexpr std::array<std::string_view, 4> kKeys = {"gpgsign", "verbose", "cleanup", "status"};
    return OneOf(setting.key, kKeys);
  }
  if (section == "user") {
    constexpr std::array<std::string_view, 4> kKeys = {"name", "email", "useconfigonly",
                                                       "signingkey"};
    return OneOf(setting.key, kKeys);
  }
  if (section == "extensions") {
    constexpr std::array<std::string_view, 5> kKeys = {"worktreeconfig", "objectformat",
                                                       "partialclone", "refstorage", "noop"};
    return OneOf(setting.key, kKeys);
  }
  // None of these has a key that names a program or a file with more settings.
  constexpr std::array<std::string_view, 14> kSections = {
      "pull",   "push", "init",  "fetch", "rebase", "color",   "advice",
      "status", "gc",   "index", "pack",  "log",    "feature", "maintenance"};
  return OneOf(section, kSections) && !NamesAProgram(setting.key);
}

std::string HarmfulSetting(std::string_view text, std::string_view before,
                           std::string_view worktree) {
  const auto settings = ParseGitConfig(text);
  if (!settings) return "?";
  std::vector<GitSetting> known;
  // What was there before, the person has put there.
  if (auto parsed = ParseGitConfig(before)) known = std::move(*parsed);
  for (const GitSetting& setting : *settings) {
    if (IsHarmless(setting)) continue;
    const GitSetting own_worktree{"core", "", "worktree", std::string(worktree)};
    if (!worktree.empty() && setting == own_worktree) continue;
    if (std::ranges::find(known, setting) != known.end()) continue;
    std::string name = setting.section;
    if (!setting.subsection.empty()) name.append(".").append(setting.subsection);
    return name.append(".").append(setting.key);
  }
  return {};
}

}  // namespace cordon::warden
