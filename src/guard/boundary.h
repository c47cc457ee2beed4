// The configured places, opened: where a path lies and what the policy says of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "policy/decide.h"
#include "policy/settings.h"

namespace cordon::guard {

// Guarantees: an untrusted path is only ever handed to the one Root that Locate
//   names; a path in no configured place has no Root.
// Thread safety: const methods may run concurrently.
class Boundary {
 public:
  // Opens every configured directory. With no root configured, does what the
  // profile says: refuses (kInvalidArguments; kSandboxRequired under
  // `sandboxed`), takes the current directory, or takes "/" (`compat`).
  // `compat` adds /tmp. A root that is missing, or is a file, is an error that
  // names it. The first root is the workspace's: relative paths are below it.
  // With protection off, no deny rule holds and everything else is a place, too; only
  // settings.own stay out of reach. A root inside one of those is an
  // error. A place that lies below another (a read-only root, DATA_DIR, a second root
  // with rules anchored there) keeps its own terms, also for relative paths, ".."
  // and links that lead there through the outer one.
  static Result<Boundary> Open(const policy::Settings& settings, confine::Resolver resolver,
                               confine::AmbientAuthority authority);

  // One workspace that is not on this system. `open` is given the rules it must follow there;
  // settings.roots names it. Only for a profile that refuses all outside of its roots.
  using RootOpener = std::function<confine::Root(const confine::RootOptions& options)>;
  static Result<Boundary> OpenElsewhere(const policy::Settings& settings, const RootOpener& open);

  struct Located {
    policy::Zone zone = policy::Zone::kOutside;
    const confine::Root* root = nullptr;  // null when outside
    std::string_view path;                // to be given to `root`, unchanged
    std::string_view below;               // the same below the root, for the rules
  };
  // By text alone. Absolute paths go to the root with the longest matching
  // spelling, relative ones to the workspace. Does not fail: what cannot be
  // parsed is left for the Root to refuse.
  Located Locate(std::string_view untrusted) const;

  // What of this boundary lies in `directories`, absolute paths of a client's own: never
  // more than here. A place that lies in one of them by name stays as it is; a directory
  // of them that lies in a place is resolved and held, and becomes a place of its own
  // under the same rules. What is left out of a place is refused, and nobody is asked
  // about it. The workspace is the first place that remains. With protection off nothing
  // is narrowed.
  // Errors: kPathOutsideProject when nothing remains.
  Result<Boundary> NarrowedTo(const std::vector<std::string>& directories) const;

  // The policy's word on `untrusted`, before anything is opened.
  policy::Decision Decide(policy::Subject subject, Operation operation,
                          std::string_view untrusted) const;

  // Locate and Decide in one: the Root to use, or the refusal as an Error. Costs
  // no allocation when it admits. kAsk is refused like kDeny, with the code of
  // what it would have asked about; whoever can ask calls Decide first.
  Result<const confine::Root*> Admit(policy::Subject subject, Operation operation,
                                     std::string_view untrusted) const;

  const policy::Settings& settings() const { return settings_; }
  const policy::DenyList& deny_list() const { return *deny_; }
  const confine::Root& workspace() const { return *places_.front().root; }
  // Warnings to show at the start, e.g. that everything is allowed.
  const std::vector<std::string>& warnings() const { return warnings_; }

  struct Place {
    policy::Zone zone;
    std::shared_ptr<const confine::Root> root;
  };
  const std::vector<Place>& places() const { return places_; }

  // All of the host, under the deny rules and the terms of every configured place: for
  // what a person agrees to outside. Null where the profile never asks and protection
  // is on. Never used by Locate and Admit.
  const confine::Root* outside() const { return outside_ ? outside_->root.get() : nullptr; }
  // The rules for a directory below outside(), as a root of its own.
  Result<confine::RootOptions> OptionsForGrant(const std::string& real_path) const;

  // Real paths of which neither they nor anything above may be given away as a whole:
  // configured places, Cordon's own directories, homes of users. Those are looked up now:
  // where nobody is asked, their list, which may come from afar, is never needed.
  // Errors: it cannot be found out where users live.
  Result<std::vector<std::string>> Kept() const;

 private:
  Boundary() = default;
  // A root's own rules hold the terms of what lies nested in it, too.
  const policy::DenyList& RulesOver(const Located& located) const;
  policy::Decision DecideUnprotected(const Located& located) const;
  policy::Decision DecideLocated(policy::Subject subject, Operation operation,
                                 const Located& located) const;
  policy::Settings settings_;
  std::shared_ptr<const policy::DenyList> deny_;
  std::vector<Place> places_;  // [0] is the workspace
  std::optional<Place> outside_;
  std::vector<std::string> kept_;                       // without the homes
  std::optional<confine::AmbientAuthority> for_homes_;  // where somebody may be asked
  std::vector<std::string> warnings_;
};

}  // namespace cordon::guard
