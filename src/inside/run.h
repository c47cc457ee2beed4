// `cordon-tools run`: a program with its streams in one, and an end to all it started.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "inside/run_wire.h"

namespace cordon::inside {

struct RunTerms {
  std::vector<std::string> arguments;
  std::string directory = "/workspace";
  std::optional<RunSize> terminal;
  std::chrono::milliseconds timeout{0};  // 0: none
  enum class Bond { kAttached, kDetached } bond = Bond::kAttached;
};

// What detached programs have said last, for whoever asks when the sandbox is dead.
inline constexpr const char* kLogInside = "/.cordon/log/output";

// Speaks run_wire.h on this process's input and output until the program has ended; gives the
// exit status. When the input ends first, an attached program is ended with its descendants.
// Does not guarantee: that against a program that ends this one, which has the same user.
int RunProgram(const RunTerms& terms);

}  // namespace cordon::inside
