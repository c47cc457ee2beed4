#include "provision/driver.h"

namespace cordon::provision {

std::string_view IsolationName(Isolation isolation) {
  switch (isolation) {
    case Isolation::kContainer: return "container";
    case Isolation::kKernelLine: return "kernel-line";
    case Isolation::kGvisor: return "gvisor";
  }
  return "container";
}

std::optional<Isolation> ParseIsolation(std::string_view name) {
  for (const Isolation known :
       {Isolation::kContainer, Isolation::kKernelLine, Isolation::kGvisor}) {
    if (IsolationName(known) == name) return known;
  }
  return std::nullopt;
}

}  // namespace cordon::provision
