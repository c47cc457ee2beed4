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

}  // namespace cordon::provision
