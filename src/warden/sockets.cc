// Sockets that have, or look for, a name among the files.
#include <cerrno>
#include <utility>

#include "warden/case.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;

}  // namespace

void Case::Do(const platform::SocketWish& wish) {
  const platform::UniqueFd socket = hand_.processes.Duplicate(thread_, wish.socket);
  if (!socket.valid()) return Fail(EBADF);
  const bool binds = wish.what == platform::SocketWish::What::kBind;
  if (wish.local_path.empty()) {
    if (!Waits()) return;
    // The copied address: what the process makes of its own meanwhile does not matter.
    return Answer(binds ? ActForProcess::Bind(socket.get(), wish.address)
                        : ActForProcess::Connect(socket.get(), wish.address));
  }
  Origin origin;
  origin.text = wish.local_path;
  if (!origin.text.starts_with('/')) {
    origin.base = hand_.processes.WorkingDirectory(thread_);
    if (!origin.base.valid()) return Fail(EACCES);
  }
  if (!binds) {
    const Found found =
        hand_.resolver.Find(thread_, origin, platform::NamedPath::FinalLink::kFollow, 0);
    if (!IsThere(Operation::kWrite, found) || !Allowed(Operation::kWrite, found.real)) return;
    if (!Waits()) return;
    return Answer(hand_.acts.ConnectTo(socket.get(), found.object.get()));
  }
  const Spot spot = hand_.resolver.FindSpot(thread_, origin, 0);
  if (!IsThere(Operation::kCreate, spot)) return;
  if (spot.special) return Fail(EADDRINUSE);
  if (!Allowed(Operation::kCreate, spot.path()) || !GitLetsMake(spot.path()) || !Waits()) return;
  const int bound = ActForProcess::BindAt(socket.get(), spot.directory.get(), spot.name, Umask());
  Answer(bound == -EEXIST ? -EADDRINUSE : bound);
}

}  // namespace cordon::warden
