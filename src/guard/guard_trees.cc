// Guard's acts that touch more than one path: Walk, MkdirAll, Rename.
#include <utility>

#include "base/try.h"
#include "guard/guard.h"
#include "guard/guard_state.h"

namespace cordon::guard {
namespace {

using audit::Event;
using confine::WalkEntry;
using confine::WalkStep;

Error SomethingThere() {
  Error error;
  error.code = ErrorCode::kAlreadyExists;
  error.op = "rename";
  error.detail = "something has the new name already";
  return error;
}

}  // namespace

Status Guard::Walk(const Call& call, std::string_view untrusted, const confine::WalkLimits& limits,
                   const std::function<WalkStep(const WalkEntry&)>& visit) {
  const Act act{&call, Event::kFileList, Operation::kList, untrusted};
  const auto since = Ledger::Clock::now();
  // The record stands before the first entry is told, and is one for all of them.
  bool told = false;
  Status recorded;
  return state_->Reached(act, Look::kObject, [&](Way& way) -> Status {
    const auto record_once = [&] {
      if (std::exchange(told, true)) return;
      const std::string resolved = way.resolved();
      recorded = state_->ledger.Told(act, {way.rule, way.tier, resolved}, since);
    };
    const auto tell = [&](const WalkEntry& entry) {
      record_once();
      return recorded ? visit(entry) : WalkStep::kStop;
    };
    TRY(way.root->Walk(way.path(), limits, tell, way.expected));
    record_once();
    return recorded;
  });
}

Status Guard::MkdirAll(const Call& call, std::string_view untrusted) {
  Act act{&call, Event::kDirectoryCreate, Operation::kMkdir, untrusted};
  act.change = undo::Kind::kMakeDirectory;
  act.makes = Act::Makes::kMissingParents;
  const Result<Way> way =
      state_->admission.Find(act, untrusted, Reach::kAsLocated, Look::kFreeEntry);
  if (!way || way->needs == Way::Needs::kNothing) {
    return state_->Done(act, Look::kFreeEntry, {}, [](Way& found) {
      return found.agreed() ? found.root->Mkdir(found.path(), 0777, found.binding())
                            : found.root->MkdirAll(found.path());
    });
  }
  // A person agrees to one directory at a time: to what was missing when they saw it.
  // The whole path is always one of them, so that nobody learns for nothing what is there.
  Status made;
  for (const std::string_view prefix : PrefixesOf(untrusted)) {
    const auto there = way->root->Stat(prefix, confine::FinalSymlink::kFollow);
    const bool exists = there && there->type == platform::FileType::kDirectory;
    if (exists && prefix.size() < untrusted.size()) continue;
    made = Mkdir(call, prefix);
    if (made) continue;
    if (made.error().code != ErrorCode::kAlreadyExists) return made;
    if (exists) made = {};
  }
  return made;
}

Result<std::optional<Way>> Guard::State::FindEnd(const Act& act, std::string_view untrusted,
                                                 Reach& reach, Look look) {
  Result<Way> way = admission.Find(act, untrusted, reach, look);
  if (way) {
    const Status probed = admission.Probe(act, *way, look);
    if (probed) return std::optional<Way>(std::move(*way));
    way = probed.error();
  }
  if (reach == Reach::kOutside || !admission.LeadsOut(way.error())) return std::move(way.error());
  reach = Reach::kOutside;
  return std::optional<Way>();
}

Status Guard::Rename(const Call& call, std::string_view from, std::string_view to,
                     const RenameOptions& options) {
  Act act{&call, Event::kFileRename, Operation::kRename, from, to};
  act.change = undo::Kind::kRename;
  const auto since = Ledger::Clock::now();
  const auto refuse = [&](Error error) {
    return state_->ledger.Refused(act, {}, std::move(error), since);
  };
  Reach reach_from = Reach::kAsLocated, reach_to = Reach::kAsLocated;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Result<std::optional<Way>> source = state_->FindEnd(act, from, reach_from, Look::kEntry);
    if (!source) return refuse(std::move(source.error()));
    Result<std::optional<Way>> target = state_->FindEnd(act, to, reach_to, Look::kAnyEntry);
    if (!target) return refuse(std::move(target.error()));
    if (!*source || !*target) continue;
    Way& old_way = **source;
    Way& new_way = **target;
    if (options.existing == RenameOptions::Existing::kRefuse && new_way.probed->exists) {
      return refuse(SomethingThere());
    }
    if (old_way.needs == Way::Needs::kConsent || new_way.needs == Way::Needs::kConsent) {
      Result<bool> agreed = state_->admission.Ask(act, old_way, {{}, {}, &new_way});
      if (!agreed) return PutOff(act, refuse(std::move(agreed.error())));
      if (!*agreed) continue;
    }
    if (IsPutOff(act)) return {};
    if (options.existing == RenameOptions::Existing::kRefuse && new_way.expected.any()) {
      new_way.expected = new_way.probed->AsExpected();
    }
    const std::string resolved = old_way.resolved();
    const Grounds grounds{old_way.rule, old_way.tier, resolved};
    TRY_ASSIGN(const std::uint64_t begun, state_->ledger.Begin(act, grounds));
    const auto rename = [&](Way& source_way) {
      return source_way.root->Rename(source_way.path(), *new_way.root, new_way.path(),
                                     source_way.binding(), new_way.binding());
    };
    Status done = state_->Keeping(act, Look::kEntry, {{}, {}, &new_way}, old_way, rename);
    const bool again = !done && (old_way.agreed() || old_way.kept) && IsStale(done.error());
    Status finished = state_->Finish(act, grounds, begun, std::move(done), since);
    if (!again || finished || !IsStale(finished.error())) return finished;
  }
  return refuse(DoesNotHoldStill());
}

}  // namespace cordon::guard
