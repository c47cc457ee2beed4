// Why a sandbox is what it is, for machines (store::Sandbox::reason).
#pragma once

#include <string_view>

namespace cordon::provision::reasons {

inline constexpr std::string_view kIdle = "idle";  // ended or paused for it
inline constexpr std::string_view kMaxLifetime = "max_lifetime";
inline constexpr std::string_view kEvicted = "evicted";  // its user wanted another
inline constexpr std::string_view kUserPause = "user_pause";
inline constexpr std::string_view kDied = "died";  // by itself
inline constexpr std::string_view kOutOfMemory = "out_of_memory";
inline constexpr std::string_view kLost = "lost";               // gone without a word
inline constexpr std::string_view kPoolShrunk = "pool_shrunk";  // made ahead, and not wanted
// Of creations; what they leave is "failed" and not "terminated".
inline constexpr std::string_view kCreateFailed = "create_failed";
inline constexpr std::string_view kProvisionTimeout = "provision_timeout";
inline constexpr std::string_view kInterrupted = "interrupted";  // the server ended meanwhile

constexpr bool IsOfCreation(std::string_view reason) {
  return reason == kCreateFailed || reason == kProvisionTimeout || reason == kInterrupted;
}

}  // namespace cordon::provision::reasons
