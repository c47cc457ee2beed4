// Everything between flags and a Guard: settings, boundary, log, channels.
#pragma once

#include <functional>
#include <memory>

#include "cli/guard_flags.h"
#include "consent/channel.h"
#include "cordon/result.h"
#include "guard/guard.h"

namespace cordon::cli {

// Says on stderr what the person must know: warnings, and above all that nothing is
// protected.
// Errors: kInvalidArguments, kUnsupported; kIoError when the log cannot be opened.
Result<std::unique_ptr<guard::Guard>> OpenGuard(const GuardFlags& flags);
// The same, for who starts several guards on it.
// `wrap`: what the way to the person's terminal is put into, if anything.
using ChannelWrapper =
    std::function<std::shared_ptr<consent::Channel>(std::shared_ptr<consent::Channel>)>;
Result<guard::Guard::Parts> OpenGuardParts(const GuardFlags& flags,
                                           const ChannelWrapper& wrap = {});

}  // namespace cordon::cli
