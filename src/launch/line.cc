#include "launch/line.h"

#include <cerrno>
#include <utility>

#include "launch/path_rules.h"
#include "launch/view.h"
#include "platform/capabilities.h"
#include "platform/loopback.h"
#include "platform/namespaces.h"
#include "platform/pseudo_terminal.h"

namespace cordon::launch {

using sandbox::Layer;

std::optional<Setback> Line::Draw() {
  environment_ = spec_.environment;
  if (NameHost() && OpenNetwork() && BuildOwnView() && OpenTerminal() && RestrictOwnPaths()) {
    DropPrivileges();
  }
  return setback_;
}

bool Line::Try(std::optional<Layer> layer, const Status& status) {
  if (!status) setback_ = SetbackOf(layer, status.error());
  return status.has_value();
}

bool Line::NameHost() {
  if (!layers_.Has(Layer::kUtsNamespace)) return true;
  return Try(Layer::kUtsNamespace, platform::SetHostName("cordon"));
}

bool Line::OpenNetwork() {
  if (!layers_.Has(Layer::kNetworkNamespace)) return true;
  if (!Try(Layer::kNetworkNamespace, platform::RaiseLoopback())) return false;
  if (spec_.network != sandbox::Network::kProxied) return true;
  auto http = platform::ListenOnLoopback();
  auto socks = platform::ListenOnLoopback();
  if (!http || !socks) {
    setback_ = SetbackOf(std::nullopt, http ? socks.error() : http.error());
    return false;
  }
  environment_ = WithProxies(std::move(environment_), {http->port, socks->port});
  http_ = std::move(http->socket);
  socks_ = std::move(socks->socket);
  return true;
}

bool Line::BuildOwnView() {
  if (!layers_.Has(Layer::kMountNamespace)) return true;
  const bool own_processes = layers_.Has(Layer::kPidNamespace);
  const Status built =
      BuildView(spec_, own_processes ? ProcessView::kOfNamespace : ProcessView::kOfHost);
  if (built) return true;
  const Error& error = built.error();
  if (own_processes && error.component == "proc") return Try(Layer::kPidNamespace, built);
  // That a place cannot be shown is no reason to show everything.
  const bool cannot_mount =
      error.component.empty() || error.os_errno == EPERM || error.os_errno == ENOSYS;
  return Try(cannot_mount ? std::optional(Layer::kMountNamespace) : std::nullopt, built);
}

bool Line::OpenTerminal() {
  if (spec_.terminal != sandbox::TerminalUse::kOwn) return true;
  auto terminal = platform::OpenPseudoTerminal();
  if (!terminal) {
    setback_ = SetbackOf(std::nullopt, terminal.error());
    return false;
  }
  master_ = std::move(terminal->master);
  slave_ = std::move(terminal->slave);
  return true;
}

// First the promise that no program gives rights back: the rules for paths need it.
bool Line::RestrictOwnPaths() {
  if (layers_.Has(Layer::kNoNewPrivileges) &&
      !Try(Layer::kNoNewPrivileges, platform::ForbidNewPrivileges())) {
    return false;
  }
  return !layers_.Has(Layer::kLandlock) || Try(Layer::kLandlock, RestrictPaths(spec_, layers_));
}

bool Line::DropPrivileges() {
  return !layers_.Has(Layer::kCapabilities) ||
         Try(Layer::kCapabilities, platform::DropCapabilities());
}

std::vector<int> Line::handed_out() const {
  std::vector<int> descriptors;
  for (const platform::UniqueFd* one : {&master_, &http_, &socks_}) {
    if (one->valid()) descriptors.push_back(one->get());
  }
  return descriptors;
}

void Line::Close() {
  for (platform::UniqueFd* one : {&master_, &slave_, &http_, &socks_}) one->reset();
}

}  // namespace cordon::launch
