#include "sandbox/layer.h"

namespace cordon::sandbox {
namespace {

constexpr std::array<std::string_view, kLayers> kNames = {
    "landlock",      "syscall-filter",    "supervisor",    "user-namespace",    "mount-namespace",
    "pid-namespace", "ipc-namespace",     "uts-namespace", "network-namespace", "cgroup-namespace",
    "control-group", "no-new-privileges", "capabilities",
};

}  // namespace

std::string_view LayerName(Layer layer) { return kNames.at(static_cast<std::size_t>(layer)); }

std::optional<Layer> ParseLayer(std::string_view name) {
  for (const Layer layer : kAllLayers) {
    if (LayerName(layer) == name) return layer;
  }
  return std::nullopt;
}

}  // namespace cordon::sandbox
