// A file brought to the disk by somebody else, after this process.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::sandbox {

inline constexpr std::string_view kSettleArgument = "--settle";
inline constexpr int kSettledDescriptor = 0;

// Started at once, and not waited for. `launcher`: the absolute path of cordon-launch.
// Errors: those of the system; then nobody brings it to the disk.
Status SettleLater(const std::string& launcher, const platform::UniqueFd& file);

}  // namespace cordon::sandbox
