// The launcher's part of a sandbox that stays: lets its owner in, and is the last to go.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/unique_fd.h"
#include "sandbox/resident_message.h"

namespace cordon::launch {

// What the process inside tells the launcher, first that it is ready. The other two come with a
// connection, which then closes when everything is gone.
inline constexpr std::string_view kResidentReady = "r";
inline constexpr std::string_view kVisitorStays = "w";
inline constexpr std::string_view kVisitorEndsAll = "v";

// Outside of the sandbox's user namespace, so that users are who they are: a stranger cannot
// come in as one whose number is not known there.
class Door {
 public:
  // `inside`: connections are passed on there. `ended`: readable when the process inside is
  // gone. All stay the caller's.
  Door(int listener, int inside, int ended);
  // Until the process inside has ended, or a visitor wants it to.
  sandbox::Epitaph::Cause Keep();

 private:
  void LetIn();
  bool Hear();  // whether all shall end

  const int listener_, inside_, ended_;
  std::uint32_t owner_ = 0;
  std::vector<platform::UniqueFd> staying_;
};

}  // namespace cordon::launch
