// The person's terminal while a command has one of its own: keys and output are passed on,
// and a question gets it to itself.
#pragma once

#include <memory>
#include <mutex>

#include "consent/channel.h"
#include "cordon/result.h"
#include "platform/terminal_relay.h"
#include "platform/unique_fd.h"

namespace cordon::cli {

// Thread safety: all methods may run concurrently.
class CommandTerminal {
 public:
  Status Start(platform::UniqueFd other_end);
  void End();  // after all that the command has written is shown

  // Asks through `inner` while the relay is paused. This object must outlive the channel.
  std::shared_ptr<consent::Channel> Wrap(std::shared_ptr<consent::Channel> inner);

 private:
  class Pausing;
  std::mutex mutex_;
  std::unique_ptr<platform::TerminalRelay> relay_;
};

}  // namespace cordon::cli
