#include "provision/fault_point.h"

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>

namespace cordon::provision {
namespace {

// Where the variable asks for an end; without a name, any instant counts.
struct Fate {
  std::string name;
  std::uint64_t left = 0;  // 0: none
};

Fate FateFrom(const char* variable) {
  Fate fate;
  if (variable == nullptr) return fate;
  std::string_view text(variable);
  const std::size_t colon = text.rfind(':');
  std::string_view number = colon == std::string_view::npos ? text : text.substr(colon + 1);
  std::from_chars(number.data(), number.data() + number.size(), fate.left);
  if (colon != std::string_view::npos || fate.left == 0) fate.name = text.substr(0, colon);
  if (!text.empty() && fate.left == 0) fate.left = 1;
  return fate;
}

constexpr const char* kVariable = "CORDON_FAULT_POINT";

std::mutex mutex;
Fate fate = FateFrom(std::getenv(kVariable));  // guarded by mutex
std::function<void(std::string_view)> hook;    // guarded by mutex

}  // namespace

std::atomic<bool> fault_points_matter = std::getenv(kVariable) != nullptr;

void ReachFaultPoint(std::string_view name) {
  std::function<void(std::string_view)> told;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const bool counts = fate.left > 0 && (fate.name.empty() || fate.name == name);
    if (counts && --fate.left == 0) std::raise(SIGKILL);
    told = hook;
  }
  if (told) told(name);
}

void SetFaultHookForTest(std::function<void(std::string_view name)> wanted) {
  const std::lock_guard<std::mutex> lock(mutex);
  hook = std::move(wanted);
  fault_points_matter = hook != nullptr || fate.left > 0;
}

}  // namespace cordon::provision
