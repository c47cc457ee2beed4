// Whether, and by which way, an act may reach its paths: policy, grants, and where
// those do not settle it, a person.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "confine/root.h"
#include "consent/desk.h"
#include "cordon/result.h"
#include "guard/act.h"
#include "guard/boundary.h"
#include "guard/grants.h"
#include "guard/ledger.h"

namespace cordon::guard {

struct Session;

// How one path of an act is reached.
struct Way {
  const confine::Root* root = nullptr;
  std::string_view asked;          // the path as it came
  std::optional<std::string> own;  // set: the path to use instead
  confine::Expected expected;      // set by an answer: the object the person saw
  // Set by the journal: what was kept, so that nothing else is taken away.
  std::optional<confine::Expected> kept;
  std::optional<std::uint32_t> made_mode;  // of the file that was written
  std::optional<confine::Probed> probed;
  // kHidden: `probed` found nothing because it could not look, which a person must be told.
  enum class Sight { kSeen, kHidden } sight = Sight::kSeen;
  std::optional<std::string> opened;           // the path that was really opened, below `root`
  std::shared_ptr<const confine::Root> grant;  // keeps `root` open
  std::string_view rule = "boundary";
  audit::Tier tier = audit::Tier::kPolicy;
  enum class Needs { kNothing, kConsent } needs = Needs::kNothing;
  consent::Reason reason = consent::Reason::kTool;

  std::string_view path() const { return own ? std::string_view(*own) : asked; }
  bool agreed() const { return !expected.any(); }
  // What the operation must be given: the person's word and the journal's.
  const confine::Expected& binding() const { return kept ? *kept : expected; }
  // The real absolute path; empty while unknown.
  std::string resolved() const;
};

// Where to look for a path: where its text says, or, when that turned out to lead
// out of its root, on the host.
enum class Reach { kAsLocated, kOutside };

// What must be known of an object before a person is asked about it.
enum class Look {
  kObject,     // what the path leads to
  kTree,       // the same: a directory that is searched, or a file
  kFile,       // a file to be written, there or not; a link is followed
  kEntry,      // what is there, itself
  kFreeEntry,  // a name that is free
  kAnyEntry,   // a name, free or not
};

class Admission {
 public:
  // All must outlive it. `desk` may be null.
  Admission(const Boundary& boundary, const Session& session, const Ledger& ledger,
            consent::Desk* desk);

  // The way to one path, as far as it goes without asking.
  // Errors: the refusal; nothing is recorded yet.
  Result<Way> Find(const Act& act, std::string_view untrusted, Reach reach, Look look) const;

  // What is there; sets way.probed.
  Status Probe(const Act& act, Way& way, Look look) const;

  // Whether an error of an inside path is worth a look on the host.
  bool LeadsOut(const Error& error) const;

  struct Extra {
    std::string_view preview;
    std::optional<Digest> content;
    Way* second = nullptr;  // of a rename
  };
  // Asks a person about ways that need it, and sets what they then expect. True: go
  // ahead. False: what was seen has changed meanwhile; begin anew.
  // Errors: kConsentDenied, kConsentUnavailable, or that it cannot be recorded.
  Result<bool> Ask(const Act& act, Way& way, const Extra& extra);

 private:
  Result<Way> FindInside(const Act& act, const confine::Root& root,
                         std::string_view untrusted) const;
  Result<Way> FindOutside(const Act& act, std::string_view untrusted, Look look) const;
  policy::ToolLevel LevelOf(const Act& act) const;
  // Whether a rule on commands saves the person the question: not one that a workspace asks for.
  bool IsSpared(const Act& act) const;
  consent::Question MakeQuestion(const Act& act, const Way& way, const Extra& extra) const;
  // The directory on offer, held from before the person sees its name; takes the offer
  // back if it cannot be.
  std::optional<confine::Root> HoldOffer(consent::Question& question) const;
  // Whether an earlier answer has made a question about `way` needless.
  bool IsSettled(const Act& act, const Way& way) const;
  // False if another directory has the name of the one that was offered by now.
  bool Remember(const Act& act, consent::Choice choice, std::optional<confine::Root> offered);

  const Boundary& boundary_;
  const Session& session_;
  const Ledger& ledger_;
  consent::Desk* desk_;
  Grants grants_;
};

}  // namespace cordon::guard
