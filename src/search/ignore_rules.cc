#include "search/ignore_rules.h"

#include <utility>

#include "base/reversed.h"
#include "base/try.h"

namespace cordon::search {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Line {
  std::string pattern;
  bool keep = false;
  bool directories_only = false;
};

// The pattern of a line that is not empty and no comment.
Line Read(std::string_view line) {
  Line read;
  bool anchored = false;
  if (line.starts_with("\\!") || line.starts_with("\\#")) {
    line.remove_prefix(1);
  } else {
    if (line.starts_with('!')) {
      read.keep = true;
      line.remove_prefix(1);
    }
    if (line.starts_with('/')) {
      anchored = true;
      line.remove_prefix(1);
    }
  }
  if (line.ends_with('/')) {
    read.directories_only = true;
    line.remove_suffix(1);
    if (line.ends_with('\\')) line.remove_suffix(1);
  }
  read.pattern = line;
  const bool has_slash = line.find('/') != std::string_view::npos;
  const bool leads = line == "**" || line.starts_with("**/");
  if (!anchored && !has_slash && !leads) read.pattern.insert(0, "**/");
  // What is inside, not the directory itself.
  if (read.pattern.ends_with("/**")) read.pattern += "/*";
  return read;
}

}  // namespace

IgnoreRules IgnoreRules::Parse(std::string_view text) {
  IgnoreRules rules;
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  while (!text.empty() && rules.rules_.size() < kMostRules) {
    const std::size_t newline = text.find('\n');
    // A line that cannot be read takes no other with it.
    static_cast<void>(rules.Add(text.substr(0, newline)));
    text = newline == std::string_view::npos ? std::string_view() : text.substr(newline + 1);
  }
  return rules;
}

Status IgnoreRules::Add(std::string_view line) {
  if (line.starts_with('#')) return {};
  if (!line.ends_with("\\ ")) {
    while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
  }
  if (line.empty()) return {};
  const Line read = Read(line);
  TRY_ASSIGN(Glob glob, Glob::Compile(read.pattern));
  const auto number = static_cast<std::uint32_t>(rules_.size());
  rules_.push_back({read.keep, read.directories_only});
  if (!read.keep) ++ignoring_;
  switch (glob.shape()) {
    case Glob::Shape::kName: by_name_[glob.text()].push_back(number); break;
    case Glob::Shape::kPath: by_path_[glob.text()].push_back(number); break;
    case Glob::Shape::kNameEnd:
      if (!glob.text().empty()) {
        by_last_byte_[static_cast<unsigned char>(glob.text().back())].push_back(
            {glob.text(), number});
        break;
      }
      [[fallthrough]];
    default:
      if (general_.size() < kMostGeneral) general_.push_back({std::move(glob), number});
  }
  return {};
}

IgnoreVerdict IgnoreRules::Judge(std::string_view path, EntryKind kind) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  std::int64_t best = -1;
  const auto applies = [&](std::uint32_t rule) {
    return rule > best && (kind == EntryKind::kDirectory || !rules_[rule].directories_only);
  };
  const auto consider = [&](const ByText& table, std::string_view key) {
    if (table.empty()) return;
    const auto found = table.find(key);
    if (found == table.end()) return;
    for (const std::uint32_t rule : Reversed(found->second)) {
      if (!applies(rule)) continue;
      best = rule;
      break;
    }
  };
  consider(by_name_, name);
  consider(by_path_, path);
  if (!name.empty()) {
    const auto& endings = by_last_byte_[static_cast<unsigned char>(name.back())];
    for (const Ending& ending : endings) {
      if (applies(ending.rule) && name.ends_with(ending.text)) best = ending.rule;
    }
  }
  for (const auto& general : Reversed(general_)) {
    if (general.rule <= best) break;
    if (applies(general.rule) && general.glob.Matches(path)) {
      best = general.rule;
      break;
    }
  }
  if (best < 0) return IgnoreVerdict::kNone;
  return rules_[static_cast<std::size_t>(best)].keep ? IgnoreVerdict::kKeep
                                                     : IgnoreVerdict::kIgnore;
}

}  // namespace cordon::search
