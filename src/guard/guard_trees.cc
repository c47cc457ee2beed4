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

// "a", "a/b", "a/b/c" of "a/b/c"; from "/a" on of an absolute path.
std::vector<std::string_view> PrefixesOf(std::string_view path) {
  std::vector<std::string_view> prefixes;
  for (std::size_t at = 1; at < path.size(); ++at) {
    if (path[at] == '/' && path[at - 1] != '/') prefixes.push_back(path.substr(0, at));
  }
  prefixes.push_back(path);
  return prefixes;
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
  const Act act{&call, Event::kDirectoryCreate, Operation::kMkdir, untrusted};
  const Result<Way> way =
      state_->admission.Find(act, untrusted, Reach::kAsLocated, Look::kFreeEntry);
  if (!way || way->needs == Way::Needs::kNothing) {
    return state_->Done(act, Look::kFreeEntry, {}, [](Way& found) {
      return found.agreed() ? found.root->Mkdir(found.path(), 0777, found.expected)
                            : found.root->MkdirAll(found.path());
    });
  }
  // A person agrees to one directory at a time: to what was missing when they saw it.
  Status made;
  for (const std::string_view prefix : PrefixesOf(untrusted)) {
    const auto there = way->root->Stat(prefix, confine::FinalSymlink::kFollow);
    if (there && there->type == platform::FileType::kDirectory) continue;
    made = Mkdir(call, prefix);
    if (!made && made.error().code != ErrorCode::kAlreadyExists) return made;
  }
  return made;
}

Status Guard::Rename(const Call& call, std::string_view from, std::string_view to) {
  const Act act{&call, Event::kFileRename, Operation::kRename, from, to};
  Reach reach_to = Reach::kAsLocated;
  const auto find_target = [&]() -> Result<Way> {
    TRY_ASSIGN(Way way, state_->admission.Find(act, to, reach_to, Look::kAnyEntry));
    TRY(state_->admission.Probe(act, way, Look::kAnyEntry));
    return way;
  };
  const auto since = Ledger::Clock::now();
  Reach reach = Reach::kAsLocated;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Result<Way> source = state_->admission.Find(act, from, reach, Look::kEntry);
    if (source) {
      if (Status probed = state_->admission.Probe(act, *source, Look::kEntry); !probed) {
        source = std::move(probed.error());
      }
    }
    if (!source) {
      if (reach == Reach::kAsLocated && state_->admission.LeadsOut(source.error())) {
        reach = Reach::kOutside;
        continue;
      }
      return state_->ledger.Refused(act, {}, std::move(source.error()), since);
    }
    Result<Way> target = find_target();
    if (!target) {
      if (reach_to == Reach::kAsLocated && state_->admission.LeadsOut(target.error())) {
        reach_to = Reach::kOutside;
        continue;
      }
      return state_->ledger.Refused(act, {}, std::move(target.error()), since);
    }
    if (source->needs == Way::Needs::kConsent || target->needs == Way::Needs::kConsent) {
      Result<bool> agreed = state_->admission.Ask(act, *source, {{}, {}, &*target});
      if (!agreed) return state_->ledger.Refused(act, {}, std::move(agreed.error()), since);
      if (!*agreed) continue;
    }
    const std::string resolved = source->resolved();
    const Grounds grounds{source->rule, source->tier, resolved};
    TRY_ASSIGN(const std::uint64_t begun, state_->ledger.Begin(act, grounds));
    Status done = source->root->Rename(source->path(), *target->root, target->path(),
                                       source->expected, target->expected);
    const bool again = !done && source->agreed() && IsStale(done.error());
    Status finished = state_->Finish(act, grounds, begun, std::move(done), since);
    if (again && !finished && IsStale(finished.error())) continue;
    return finished;
  }
  return state_->ledger.Refused(act, {}, DoesNotHoldStill(), since);
}

}  // namespace cordon::guard
