// What lies outside and may be had if a person agrees.
#include <utility>

#include "warden/case.h"

namespace cordon::warden {

using sandbox::Ask;

// In a view that was built, what is outside is not there.
bool Case::IsOutside(const NotThere& looked) const {
  return looked.os_errno != 0 && looked.refused.empty() && !hand_.judge.IsQuiet(looked.place);
}

bool Case::LiesOutside(const std::string& path, Operation operation) const {
  const Judgement judged = hand_.resolver.Judged(path, operation);
  return judged.region == Region::kOutside && judged.rule == "outside";
}

void Case::AskOutside(Operation operation, Ask ask, const Waiting::Question& question) {
  if (hand_.spec.outside != sandbox::Outside::kAsk) {
    return Refuse(operation, ask.path, "outside");
  }
  for (const std::string* path : {&ask.path, &ask.to}) {
    if (path->empty()) continue;
    const Judgement judged = hand_.resolver.Judged(*path, operation);
    if (judged.refused() && judged.rule != "outside") return Refuse(operation, *path, judged.rule);
  }
  if (!hand_.waiting.AddQuestion(id_, question)) return Refuse(operation, ask.path, "outside");
  ask.id = id_;
  if (const auto facts = hand_.processes.Facts(thread_)) {
    ask.program = facts->name;
    ask.process = static_cast<std::uint32_t>(facts->thread_group);
  }
  hand_.refusals.Ask(ask);
}

void Case::AskToDo(Operation operation, Ask::Way way, const std::string& path,
                   const std::string& to) {
  // What holds a place, or would hide one, stays where it is.
  for (const std::string* each : {&path, &to}) {
    if (!each->empty() && hand_.judge.LeadsToPlaces(*each)) {
      return Refuse(operation, *each, "outside");
    }
  }
  Ask ask;
  ask.way = way;
  ask.path = path;
  ask.to = to;
  AskOutside(operation, std::move(ask), {Waiting::Question::Yes::kDone});
}

}  // namespace cordon::warden
