// `cordon-tools relay`: connections to ports inside, many over one pair of streams.
#pragma once

namespace cordon::inside {

// Speaks relay_wire.h on this process's input and output until the input ends; gives the exit
// status. Who reads slowly slows its own connection alone.
int RelayPorts();

}  // namespace cordon::inside
