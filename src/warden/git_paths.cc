#include "warden/git_paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cordon::warden {
namespace {

// git itself takes other spellings for the same on systems that do.
bool Is(std::string_view name, std::string_view wanted) {
  return std::ranges::equal(name, wanted, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool IsPlainDirectory(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPlain = {"refs", "logs", "objects"};
  return std::ranges::find(kPlain, name) != kPlain.end();
}

GitPart HookPart(std::string_view name) {
  return IsSampleHook(name) ? GitPart::kOrdinary : GitPart::kHook;
}

// The entry `name` of a directory like `.git`.
GitPart DirectPart(std::string_view name) {
  if (Is(name, "hooks")) return GitPart::kHooks;
  if (Is(name, "config") || Is(name, "config.worktree")) return GitPart::kConfig;
  if (Is(name, "commondir")) return GitPart::kRedirect;
  if (Is(name, "modules") || Is(name, "worktrees")) return GitPart::kContainer;
  return GitPart::kOrdinary;
}

// `parts`: what is below a `.git`, not empty.
GitPart PartBelow(const std::vector<std::string_view>& parts) {
  const std::string_view last = parts.back();
  if (parts.size() == 1) return IsPlainDirectory(last) ? GitPart::kPlain : DirectPart(last);
  if (IsPlainDirectory(parts[0])) return GitPart::kPlain;
  if (Is(parts[0], "hooks")) return HookPart(last);
  if (Is(parts[0], "worktrees")) {
    // parts[1] is the worktree's own directory.
    if (parts.size() == 3) return DirectPart(last);
    if (parts.size() > 3 && Is(parts[2], "hooks")) return HookPart(last);
    return GitPart::kOrdinary;
  }
  if (!Is(parts[0], "modules")) return GitPart::kOrdinary;
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    if (Is(parts[i], "hooks")) return HookPart(last);
  }
  return DirectPart(last);
}

// What is below the last `.git` of the path; nothing: there is none.
std::optional<std::vector<std::string_view>> BelowGit(std::string_view path) {
  std::vector<std::string_view> below;
  bool inside = false;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part.empty()) continue;
    if (Is(part, ".git")) {
      inside = true;
      below.clear();
    } else if (inside) {
      below.push_back(part);
    }
  }
  if (!inside) return std::nullopt;
  return below;
}

}  // namespace

GitPart GitPartOf(std::string_view path) {
  if (path.size() < 5) return GitPart::kNone;
  const auto below = BelowGit(path);
  if (!below) return GitPart::kNone;
  return below->empty() ? GitPart::kRepository : PartBelow(*below);
}

GitPart GitPartIn(std::string_view name) { return DirectPart(name); }

bool IsSampleHook(std::string_view name) { return name.ends_with(".sample"); }

Landmark LandmarkOf(std::string_view name) {
  if (Is(name, "head")) return Landmark::kHead;
  if (Is(name, "objects")) return Landmark::kObjects;
  if (Is(name, "refs")) return Landmark::kReferences;
  return Is(name, "commondir") ? Landmark::kCommonDirectory : Landmark::kNone;
}

bool IsKeptRepository(std::string_view directory) {
  const auto below = BelowGit(directory);
  if (!below) return false;
  if (below->empty()) return true;
  return (below->size() == 2 && Is(below->front(), "worktrees")) || Is(below->front(), "modules");
}

bool LeadsToRepository(std::string_view directory) {
  return GitPartOf(directory) == GitPart::kContainer ||
         (IsKeptRepository(directory) && GitPartOf(directory) != GitPart::kRepository);
}

bool IsHarmlessGitLink(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && text.find('/') == std::string_view::npos;
}

}  // namespace cordon::warden
