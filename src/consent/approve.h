// What `cordon approve` does, once it knows where: shows questions, sends answers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::consent {

enum class ApproveUntil {
  kEnded,     // by the person or by the end of the input
  kFirstOne,  // one question is over, however it ended
};

// On the terminal that controls this process, with the keys of terminal_channel.h;
// Ctrl-C or Ctrl-D while no question is open ends it.
// Errors: kNotFound when there is no terminal; those of Approver::Attach.
Status ApproveOnTerminal(const std::string& directory, ApproveUntil until);

// For programs: the lines of socket_channel.h go to `print`, newline included, with
// "by":"gone" for a question whose asker has died; answers are read from the standard
// input, a line each. Ends with the input, after what was answered is settled.
// Errors: those of Approver::Attach.
Status ApproveByLines(const std::string& directory, ApproveUntil until,
                      const std::function<void(std::string_view line)>& print);

}  // namespace cordon::consent
