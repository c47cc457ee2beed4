// Changes to what a file is, and not to its name: mode, owner, size, times, attributes.
#include <cerrno>
#include <utility>
#include <variant>

#include "warden/case.h"
#include "warden/git_paths.h"

namespace cordon::warden {

void Case::Do(const platform::ChangeWish& wish) {
  const Origin origin = hand_.resolver.Begin(thread_, wish.path, 0);
  if (origin.os_errno != 0) return Fail(origin.os_errno);
  const Found found = hand_.resolver.Find(thread_, origin, wish.path.final_link, 0);
  const auto* size = std::get_if<platform::SizeWish>(&wish.change);
  const bool outside = IsOutside(found) || (found.os_errno == 0 && found.refused.empty() &&
                                            LiesOutside(found.real, Operation::kWrite));
  if (outside && size != nullptr && size->size >= 0) {
    sandbox::Ask ask;
    ask.way = sandbox::Ask::Way::kWrite;
    ask.path = found.os_errno != 0 ? found.place : found.real;
    return AskOutside(Operation::kWrite, std::move(ask),
                      {Waiting::Question::Yes::kCut, size->size});
  }
  if (!IsThere(Operation::kWrite, found) || !Allowed(Operation::kWrite, found.real)) return;
  const bool content = size != nullptr;
  const bool mode = std::holds_alternative<platform::ModeWish>(wish.change);
  const bool hook = PartOf(found.real) == GitPart::kHook;
  // A hook that may be executed runs; times and owners change nothing.
  if ((content || (mode && hook)) && !GitLetsMake(found.real)) return;
  if (!Waits()) return;
  Answer(hand_.acts.Change(found.object.get(), wish));
}

}  // namespace cordon::warden
