// Which names in a `.git` make git run something. Pure text.
#pragma once

#include <string_view>

namespace cordon::warden {

enum class GitPart {
  kNone,        // in no repository's own directory
  kRepository,  // an entry named `.git`: a directory, or a file that leads to one
  kHooks,       // the directory of hooks
  kHook,        // in it, and git would run it
  kConfig,      // `config`, `config.worktree`
  kRedirect,    // `commondir`: makes git read its configuration elsewhere
  kContainer,   // `modules`, `worktrees`: hold directories like `.git`
  kPlain,       // references, logs and objects: nothing below is looked at for more
  kOrdinary,    // the rest
};

// `path`: absolute and real. Errs towards what is kept: in `modules`, where names of
// submodules have any depth, `hooks` and `config` are kept wherever they stand.
GitPart GitPartOf(std::string_view path);

// The same of the entry `name` of any directory that is a repository: kHooks, kConfig,
// kRedirect, kContainer or kOrdinary.
GitPart GitPartIn(std::string_view name);

// Git runs no hook of this name.
bool IsSampleHook(std::string_view name);

// The entries by which git knows a repository, in any spelling.
enum class Landmark { kNone, kHead, kObjects, kReferences, kCommonDirectory };
Landmark LandmarkOf(std::string_view name);

// Whether the directory is a repository's own by its name, so that GitPartOf tells of all that
// is in it: a `.git`, one of its `worktrees`, or below its `modules`.
bool IsKeptRepository(std::string_view directory);

// Whether the directory is one of a `.git`'s `worktrees` or `modules`, or these themselves, whose
// files name the rest of the repository by where they are.
bool LeadsToRepository(std::string_view directory);

// Whether a link with this text, made in a `.git`, stays beside itself.
bool IsHarmlessGitLink(std::string_view text);

}  // namespace cordon::warden
