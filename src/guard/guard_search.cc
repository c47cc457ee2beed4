// Guard::Search.
#include <string>
#include <utility>

#include "base/try.h"
#include "guard/guard.h"
#include "guard/guard_state.h"

namespace cordon::guard {

Result<confine::SearchOutcome> Guard::Search(const Call& call, std::string_view untrusted,
                                             const confine::SearchTerms& terms,
                                             confine::SearchVisitor& visitor) {
  // What reads contents is judged as reading here, and as listing below as well.
  const bool reads = terms.reach == confine::SearchReach::kContents;
  Act act = reads ? Act{&call, audit::Event::kFileRead, Operation::kRead, untrusted}
                  : Act{&call, audit::Event::kFileList, Operation::kList, untrusted};
  act.tells = Act::Tells::kTree;
  confine::SearchTerms own = terms;
  own.stop = call.stop;
  const auto since = Ledger::Clock::now();
  return state_->Reached(act, Look::kTree, [&](Way& way) {
    const auto record = [&](std::string_view true_path) {
      way.opened = std::string(true_path);
      const std::string resolved = way.resolved();
      return state_->ledger.Told(act, {way.rule, way.tier, resolved}, since);
    };
    return way.root->Search(way.path(), own, visitor, record, way.expected);
  });
}

}  // namespace cordon::guard
