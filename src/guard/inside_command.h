// Commands of a session whose workspace belongs to a sandbox that stays: they run in there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "guard/command.h"
#include "provision/driver.h"

namespace cordon::guard {

using ExecStarter =
    std::function<Result<std::unique_ptr<provision::Exec>>(const provision::ExecTerms& terms)>;

// `workspace`: what the workspace is called in there. What a command prints goes on to the streams
// of its terms while its Wait is running.
ElsewhereStarter RunInside(ExecStarter start, std::string workspace);

}  // namespace cordon::guard
