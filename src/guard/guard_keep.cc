// The guard's side of the undo journal.
#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "guard/guard.h"
#include "guard/guard_state.h"
#include "path/posix.h"
#include "undo/journal.h"

namespace cordon::guard {
namespace {

using undo::Kind;
using undo::NodeType;

// What is there, for an act that goes ahead also where Probe says that the file itself
// is not to be written to: it is replaced, not written to.
Status ProbeToKeep(const Admission& admission, const Act& act, Look look, Way& way) {
  Status probed = admission.Probe(act, way, look);
  if (probed || look != Look::kFile) return probed;
  if (probed.error().code != ErrorCode::kPermissionDenied) return probed;
  TRY_ASSIGN(way.probed, way.root->Probe(way.path(), Operation::kCreate, Operation::kWrite));
  return {};
}

// Whether a rename would find both names to be one file's, and do nothing.
bool IsSameFile(const Way& way, const Way& other) {
  return way.probed->exists && other.probed->exists &&
         way.probed->stat.identity == other.probed->stat.identity;
}

// Gives the operation what was kept, so that it takes away nothing else.
void BindTo(Way& way, const undo::Node& kept, const std::string& temporary) {
  confine::Expected expected = way.agreed() ? way.expected : way.probed->AsExpected();
  if (!expected.content && kept.type == NodeType::kFile) expected.content = kept.content;
  expected.temporary = temporary;
  way.kept = std::move(expected);
}

// Gives it nothing but the name to use beside.
void BindLoosely(Way& way, const std::string& temporary) {
  way.kept = way.expected;
  way.kept->temporary = temporary;
}

Error AnotherByNow() {
  return confine::StaleError("", "what is there is not what it was when this was last looked at");
}

bool SameContent(const undo::Node& node, const Digest& wanted) {
  return node.type == NodeType::kFile && node.content && SameDigest(*node.content, wanted);
}

}  // namespace

void Unbind(Way& way, Way* second) {
  way.kept.reset();
  if (second != nullptr) second->kept.reset();
}

std::vector<std::string_view> PrefixesOf(std::string_view path) {
  std::vector<std::string_view> prefixes;
  for (std::size_t at = 1; at < path.size(); ++at) {
    if (path[at] == '/' && path[at - 1] != '/') prefixes.push_back(path.substr(0, at));
  }
  prefixes.push_back(path);
  return prefixes;
}

Result<std::vector<std::string>> Guard::State::MissingDirectories(const Way& way) const {
  std::string_view text = way.path();
  while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  std::vector<std::string> missing;
  for (const std::string_view prefix : PrefixesOf(text)) {
    const auto probed = way.root->Probe(prefix, Operation::kCreate, Operation::kMkdir);
    if (!probed || probed->exists) continue;  // there already, or the making will tell
    std::string path = way.root->real_path();
    if (!path.ends_with('/')) path += '/';
    path += probed->path;
    missing.push_back(path);
    path::Components rest(text.substr(prefix.size()));
    for (auto part = rest.Next(); !part.empty() && part != ".."; part = rest.Next()) {
      path += '/';
      path += part;
      missing.push_back(path);
    }
    break;
  }
  return missing;
}

Result<std::optional<undo::Kept>> Guard::State::Keep(const Act& act, Look look,
                                                     const Admission::Extra& extra, Way& way) {
  undo::Intent intent;
  intent.kind = *act.change;
  intent.session = parts.session.id;
  intent.actor = parts.session.actor;
  intent.tool = act.call->tool;
  intent.workspace = parts.boundary.workspace().real_path();
  intent.bytes = act.bytes;
  const undo::Undoing* const undoing = act.call->undoing;
  if (undoing != nullptr) {
    intent.group = undoing->undo;
  } else if (act.call->together) {
    intent.group = act.call->together->first;
  }
  if (act.makes == Act::Makes::kMissingParents) {
    TRY_ASSIGN(intent.made, MissingDirectories(way));
    if (intent.made.empty()) return std::optional<undo::Kept>();
    intent.at.path = intent.made.front();
  } else {
    TRY(ProbeToKeep(admission, act, look, way));
    intent.at = {way.root, &*way.probed, way.resolved()};
    if (*act.change == Kind::kMakeDirectory) intent.made = {intent.at.path};
  }
  if (extra.second != nullptr) {
    if (IsSameFile(way, *extra.second)) return std::optional<undo::Kept>();
    intent.to = {extra.second->root, &*extra.second->probed, extra.second->resolved()};
  }
  way.kept = way.expected;  // from here on, what is stale is tried again
  TRY_ASSIGN(undo::Kept kept, parts.keeper->Begin(intent));
  if (act.call->together && act.call->together->first == 0) act.call->together->first = kept.id;
  const bool basis_gone =
      (extra.content && kept.id != 0 && kept.before.lost.empty() &&
       !SameContent(kept.before, *extra.content)) ||
      (undoing != nullptr && undoing->expects && !LooksLike(kept.before, *undoing->expects));
  if (basis_gone) {
    way.kept.reset();  // and what the caller has misunderstood, not
    return EndKept(kept, way, AnotherByNow()).error();
  }
  switch (*act.change) {
    case Kind::kMakeDirectory: break;
    case Kind::kRename:
      BindLoosely(way, kept.temporary);
      if (kept.before_to.type == NodeType::kDirectory) {
        BindLoosely(*extra.second, kept.temporary);  // only an empty one is ever replaced
      } else {
        BindTo(*extra.second, kept.before_to, kept.temporary);
      }
      break;
    default: BindTo(way, kept.id == 0 ? undo::Node{} : kept.before, kept.temporary);
  }
  return std::optional<undo::Kept>(std::move(kept));
}

Status Guard::State::EndKept(const undo::Kept& kept, const Way& way, Status done) const {
  Status ended =
      parts.keeper->End(kept, done ? undo::Outcome::kDone : undo::Outcome::kFailed, way.made_mode);
  if (!done || ended) return done;
  Error failure = std::move(ended.error());
  failure.detail += "; it was done, but that could not be recorded";
  return failure;
}

Result<undo::Node> Guard::Examine(const Call& call, std::string_view untrusted) {
  const Act act{&call, audit::Event::kFileStat, Operation::kStat, untrusted};
  if (!state_->parts.keeper) {
    Error error;
    error.code = ErrorCode::kUnsupported;
    error.op = "examine";
    error.rule = "undo";
    error.detail = "there is no undo journal";
    return error;
  }
  return state_->Told(act, Look::kEntry, [this](Way& way) -> Result<undo::Node> {
    const auto probed = way.root->Probe(way.path(), Operation::kDelete, Operation::kStat);
    if (probed) return state_->parts.keeper->Describe(*probed);
    switch (probed.error().code) {
      case ErrorCode::kNotFound:
      case ErrorCode::kNotADirectory: return undo::Node{};
      default: return probed.error();
    }
  });
}

undo::Journal* Guard::journal() const {
  return state_->parts.keeper ? &state_->parts.keeper->journal() : nullptr;
}

}  // namespace cordon::guard
