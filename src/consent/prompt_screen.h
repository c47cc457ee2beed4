// How lines get onto a terminal and are changed there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/terminal.h"

namespace cordon::consent {

// Gives the bytes to write; the cursor is left at the end of the last line. Changes only
// what can be reached: when the window was resized, or what changed has scrolled out of
// it, everything is printed anew below.
class PromptScreen {
 public:
  std::string Draw(std::vector<std::string> lines, platform::WindowSize window);
  // In the place of what was drawn, if all of it can be reached; else below it. The
  // cursor is left on the line after.
  std::string Finish(const std::vector<std::string>& lines, platform::WindowSize window);

 private:
  bool CanReach(std::size_t line, platform::WindowSize window) const;

  std::vector<std::string> drawn_;
  platform::WindowSize window_;
};

}  // namespace cordon::consent
