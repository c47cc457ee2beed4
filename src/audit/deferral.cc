#include "audit/deferral.h"

namespace cordon::audit {
namespace {

thread_local Deferral* of_this_thread = nullptr;

}  // namespace

Deferral::Deferral() { of_this_thread = this; }
Deferral::~Deferral() { of_this_thread = nullptr; }

Deferral::Pause::Pause() : paused_(std::exchange(of_this_thread, nullptr)) {}
Deferral::Pause::~Pause() { of_this_thread = paused_; }

Deferral* Deferral::For(const Record& record) {
  if (of_this_thread == nullptr) return nullptr;
  const bool told_later = record.event == Event::kFileRead && record.phase == Phase::kWhole &&
                          record.decision == Decision::kAllowed && !record.error;
  return told_later ? of_this_thread : nullptr;
}

}  // namespace cordon::audit
