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

// Whether a link with this text, made in a `.git`, stays beside itself.
bool IsHarmlessGitLink(std::string_view text);

}  // namespace cordon::warden
