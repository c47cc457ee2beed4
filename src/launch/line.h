// The line around a command, drawn by the process inside it around itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "launch/environment.h"
#include "launch/setback.h"
#include "platform/unique_fd.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// Requires that the namespaces among `layers` are new, and that this process is the first
// one in each. What is drawn holds this process as well; the system-call filter does not.
class Line {
 public:
  Line(const sandbox::Spec& spec, const sandbox::LayerSet& layers) : spec_(spec), layers_(layers) {}

  // Everything but the filter; what could not be done, if anything: then this process must end.
  std::optional<Setback> Draw();

  const std::vector<std::string>& environment() const { return environment_; }
  int terminal() const { return slave_.get(); }  // -1: none
  // In the order of sandbox::Ready.
  std::vector<int> handed_out() const;
  // They are the other side's now.
  void Close();

 private:
  bool NameHost();
  bool OpenNetwork();
  bool BuildOwnView();
  bool OpenTerminal();
  bool RestrictOwnPaths();
  bool DropPrivileges();
  bool Try(std::optional<sandbox::Layer> layer, const Status& status);

  const sandbox::Spec& spec_;
  const sandbox::LayerSet layers_;
  std::optional<Setback> setback_;
  std::vector<std::string> environment_;
  platform::UniqueFd master_, slave_, http_, socks_;
};

}  // namespace cordon::launch
