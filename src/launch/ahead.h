// A process in new namespaces, made while it is not known yet what shall run in it.
#pragma once

#include <optional>
#include <utility>

#include "cordon/result.h"
#include "launch/control.h"
#include "platform/child_process.h"
#include "platform/namespaces.h"
#include "platform/unique_fd.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// What kSpecDescriptor holds, once Cordon has said that it is complete. Closes it.
Result<sandbox::Spec> ReadSpec();

inline constexpr std::pair<sandbox::Layer, platform::Namespace> kNamespaceLayers[] = {
    {sandbox::Layer::kUserNamespace, platform::Namespace::kUser},
    {sandbox::Layer::kMountNamespace, platform::Namespace::kMount},
    {sandbox::Layer::kPidNamespace, platform::Namespace::kPid},
    {sandbox::Layer::kIpcNamespace, platform::Namespace::kIpc},
    {sandbox::Layer::kUtsNamespace, platform::Namespace::kUts},
    {sandbox::Layer::kNetworkNamespace, platform::Namespace::kNetwork},
    {sandbox::Layer::kCgroupNamespace, platform::Namespace::kCgroup},
};
// The namespaces among `layers`.
platform::NamespaceSet NamespacesOf(const sandbox::LayerSet& layers);

// Has its users already, and waits at `inside` for the layers it shall draw.
struct WaitingProcess {
  platform::Child child;
  platform::UniqueFd inside;
};

class Ahead {
 public:
  // Makes one with the namespaces among `expected`, if all of them can be had and the one
  // for processes is among them: then nothing is left when it is ended.
  Ahead(const sandbox::LayerSet& expected, const Control& control);
  ~Ahead();
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  // The process, if it has just the namespaces among `layers` and needs no control group;
  // else it is ended. None after the first time.
  std::optional<WaitingProcess> Take(const sandbox::LayerSet& layers);

 private:
  void End();
  platform::NamespaceSet namespaces_;
  std::optional<WaitingProcess> process_;
};

}  // namespace cordon::launch
