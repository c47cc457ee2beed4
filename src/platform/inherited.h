// What a program was given by the one that started it.
#pragma once

#include <cstddef>
#include <string>

#include "cordon/result.h"

namespace cordon::platform {

// The whole content of an open file, whatever its position.
// Errors: kTooLarge beyond `most` bytes; those of the system.
Result<std::string> ReadWhole(int fd, std::size_t most);

// Closes every descriptor from `first` on.
void CloseFrom(int first);

// A standard stream that is closed becomes an empty one, so that nothing else gets its number.
Status FillStandardStreams();
// These become the standard streams; -1 is an empty one. The given ones stay open.
Status SetStandardStreams(int in, int out, int err);
// What a key of the terminal sends to all programs in front is for the command alone.
void IgnoreTerminalSignals();
// Of these, the ones that would end this program; it still stops and goes on with the command.
void IgnoreInterrupts();
// No signal that can be held back reaches this process; programs it starts are as usual.
void HoldBackSignals();
// Signals that the one before ignored or held back are as usual again.
void ResetSignals();

}  // namespace cordon::platform
