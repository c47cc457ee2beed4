// Sockets that have, or look for, a name among the files.
#include <cerrno>
#include <utility>

#include "warden/case.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;

}  // namespace

// Waits for what the process would wait for.
void Case::Connected(platform::UniqueFd socket, int result, platform::UniqueFd object) {
  const bool under_way = result == -EINPROGRESS || (result == -EAGAIN && object.valid());
  if (!under_way || ActForProcess::IsNonBlocking(socket.get())) return Answer(result);
  if (!hand_.waiting.AddConnect(id_, std::move(socket), std::move(object))) Fail(ENOBUFS);
}

void Case::Do(const platform::SocketWish& wish) {
  platform::UniqueFd socket = hand_.processes.Duplicate(thread_, wish.socket);
  if (!socket.valid()) return Fail(EBADF);
  const bool binds = wish.what == platform::SocketWish::What::kBind;
  if (wish.local_path.empty()) {
    if (!Waits()) return;
    // The copied address: what the process makes of its own meanwhile does not matter.
    if (binds) return Answer(ActForProcess::Bind(socket.get(), wish.address));
    const int result = ActForProcess::Connect(socket.get(), wish.address);
    return Connected(std::move(socket), result, platform::UniqueFd());
  }
  Origin origin;
  origin.text = wish.local_path;
  if (!origin.text.starts_with('/')) {
    origin.base = hand_.processes.WorkingDirectory(thread_);
    if (!origin.base.valid()) return Fail(EACCES);
  }
  if (!binds) {
    Found found = hand_.resolver.Find(thread_, origin, platform::NamedPath::FinalLink::kFollow, 0);
    if (!IsThere(Operation::kWrite, found) || !Allowed(Operation::kWrite, found.real)) return;
    if (!Waits()) return;
    const int result = hand_.acts.ConnectTo(socket.get(), found.object.get());
    return Connected(std::move(socket), result, std::move(found.object));
  }
  const Spot spot = hand_.resolver.FindSpot(thread_, origin, 0);
  if (!IsThere(Operation::kCreate, spot)) return;
  if (spot.special) return Fail(EADDRINUSE);
  if (!Allowed(Operation::kCreate, spot.path()) || !GitLetsMake(spot.path())) return;
  if (!GitLetsName(Operation::kCreate, spot.path()) || !Waits()) return;
  const int bound = ActForProcess::BindAt(socket.get(), spot.directory.get(), spot.name, Umask());
  Answer(bound == -EEXIST ? -EADDRINUSE : bound);
}

}  // namespace cordon::warden
