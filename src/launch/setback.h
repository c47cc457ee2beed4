// Why a line could not be drawn, told by the process inside to the launcher outside, which
// may try again without the layer that was at fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cordon/error.h"
#include "sandbox/layer.h"
#include "sandbox/message.h"

namespace cordon::launch {

struct Setback {
  std::optional<sandbox::Layer> layer;  // without which it may go
  sandbox::Failed failed;
};

// A step of the set-up that did not succeed.
Setback SetbackOf(std::optional<sandbox::Layer> layer, const Error& error);

std::string Encode(const Setback& setback);
// Anything unreadable is a setback, too.
Setback DecodeSetback(std::string_view bytes);

}  // namespace cordon::launch
