// The order of things in every act of a Guard; for the files of this room only.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "guard/admission.h"
#include "guard/guard.h"
#include "guard/ledger.h"

namespace cordon::guard {

// How often an act may begin anew because what it was about has changed.
inline constexpr int kMostAttempts = 8;

// Whether what was agreed to has become something else.
bool IsStale(const Error& error);
Error DoesNotHoldStill();
// Takes the journal's word off the ways of an act; `second` may be null.
void Unbind(Way& way, Way* second);
// "a", "a/b", "a/b/c" of "a/b/c"; from "/a" on of an absolute path.
std::vector<std::string_view> PrefixesOf(std::string_view path);

struct Guard::State {
  explicit State(Parts given);

  Parts parts;
  Ledger ledger;
  Admission admission;
  BackgroundCommands background;

  // Calls that may have to be repeated, and have changed something.
  mutable std::mutex mutex;
  std::set<std::weak_ptr<undo::Together>, std::owner_less<>> changed;

  // Finds the way for an act, as often as it takes, and calls `use(way)`, which has
  // recorded the act when it succeeds. What it refuses is recorded here.
  template <typename Use>
  auto Reached(const Act& act, Look look, const Use& use) -> decltype(use(std::declval<Way&>()));

  // An act that only tells something: `tell(way)` finds it out, then it is recorded,
  // then it is told.
  template <typename Tell>
  auto Told(const Act& act, Look look, const Tell& tell) -> decltype(tell(std::declval<Way&>()));

  // An act with an effect: recorded, done, recorded.
  template <typename Do>
  Status Done(const Act& act, Look look, const Admission::Extra& extra, const Do& perform);

  // Performs it, between the journal's begin and its end.
  template <typename Do>
  Status Keeping(const Act& act, Look look, const Admission::Extra& extra, Way& way,
                 const Do& perform);
  // For what an act adds. Taking away needs none.
  Status FindRoom(const Act& act) const;
  // What is about to be lost, kept; binds the ways to it. Unset: nothing will be.
  Result<std::optional<undo::Kept>> Keep(const Act& act, Look look, const Admission::Extra& extra,
                                         Way& way);
  Result<std::vector<std::string>> MissingDirectories(const Way& way) const;
  Status EndKept(const undo::Kept& kept, const Way& way, Status done) const;
  // The way to act.asked, with whatever consent it needs.
  // Unset: what was seen has changed meanwhile; try again.
  Result<std::optional<Way>> FindWay(const Act& act, Reach& reach, Look look,
                                     const Admission::Extra& extra);
  // The way to one end of a rename, looked at, without asking. Unset: try again.
  Result<std::optional<Way>> FindEnd(const Act& act, std::string_view untrusted, Reach& reach,
                                     Look look);
  // Whether an act is to be asked about, but not done: see consent::Channel::deferred.
  // Not if its call has changed something already: that must be taken back, and can only
  // be if the call fails.
  bool IsPutOff(const Act& act) const;
  // What a put-off act gives for its refusal: nobody has refused yet.
  Status PutOff(const Act& act, Error refused) const;
  void NoteChange(const Act& act);

  // Records the end of what `begun` began, and gives what to tell.
  Status Finish(const Act& act, const Grounds& grounds, std::uint64_t begun, Status done,
                Ledger::Clock::time_point since) const;
};

template <typename Use>
auto Guard::State::Reached(const Act& act, Look look, const Use& use)
    -> decltype(use(std::declval<Way&>())) {
  const auto since = Ledger::Clock::now();
  Reach reach = Reach::kAsLocated;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Result<std::optional<Way>> found = FindWay(act, reach, look, {});
    if (!found) return ledger.Refused(act, {}, std::move(found.error()), since);
    if (!*found) continue;
    Way& way = **found;
    auto used = use(way);
    if (used) return used;
    if (reach == Reach::kAsLocated && !way.agreed() && admission.LeadsOut(used.error())) {
      reach = Reach::kOutside;
      continue;
    }
    if (way.agreed() && IsStale(used.error())) continue;
    const std::string resolved = way.resolved();
    return ledger.Refused(act, {way.rule, way.tier, resolved}, std::move(used.error()), since);
  }
  return ledger.Refused(act, {}, DoesNotHoldStill(), since);
}

template <typename Tell>
auto Guard::State::Told(const Act& act, Look look, const Tell& tell)
    -> decltype(tell(std::declval<Way&>())) {
  const auto since = Ledger::Clock::now();
  return Reached(act, look, [&](Way& way) {
    auto told = tell(way);
    if (!told) return told;
    const std::string resolved = way.resolved();
    if (Status recorded = ledger.Told(act, {way.rule, way.tier, resolved}, since); !recorded) {
      told = std::move(recorded.error());
    }
    return told;
  });
}

template <typename Do>
Status Guard::State::Done(const Act& act, Look look, const Admission::Extra& extra,
                          const Do& perform) {
  const auto since = Ledger::Clock::now();
  Reach reach = Reach::kAsLocated;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Result<std::optional<Way>> found = FindWay(act, reach, look, extra);
    if (!found) {
      return PutOff(act, ledger.Refused(act, {}, std::move(found.error()), since));
    }
    if (IsPutOff(act)) return {};
    if (!*found) continue;
    Way& way = **found;
    // Known before anything happens: where it will happen, for the record.
    if (Status probed = admission.Probe(act, way, look); !probed) {
      if (reach == Reach::kAsLocated && admission.LeadsOut(probed.error())) {
        reach = Reach::kOutside;
        continue;
      }
      if (probed.error().security_violation()) {
        return ledger.Refused(act, {way.rule, way.tier, {}}, std::move(probed.error()), since);
      }
    }
    const std::string resolved = way.resolved();
    const Grounds grounds{way.rule, way.tier, resolved};
    TRY_ASSIGN(const std::uint64_t begun, ledger.Begin(act, grounds));
    Status done = Keeping(act, look, extra, way, perform);
    const bool again = !done && (way.agreed() || way.kept) && IsStale(done.error());
    if (done) NoteChange(act);
    Status finished = Finish(act, grounds, begun, std::move(done), since);
    if (again && !finished && IsStale(finished.error())) continue;
    return finished;
  }
  return ledger.Refused(act, {}, DoesNotHoldStill(), since);
}

template <typename Do>
Status Guard::State::Keeping(const Act& act, Look look, const Admission::Extra& extra, Way& way,
                             const Do& perform) {
  TRY(FindRoom(act));
  if (!parts.keeper || !act.change) return perform(way);
  TRY_ASSIGN(const std::optional<undo::Kept> kept, Keep(act, look, extra, way));
  if (!kept) return perform(way);
  Status done = perform(way);
  if (!done && done.error().code == ErrorCode::kUnsupported && !way.agreed()) {
    // A file system that cannot make sure: what was kept is what was there just now.
    Unbind(way, extra.second);
    done = perform(way);
  }
  return EndKept(*kept, way, std::move(done));
}

}  // namespace cordon::guard
