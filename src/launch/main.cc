// cordon-launch: started by Cordon, never by people. With --probe it tells what this machine
// can hold a command with; with --resident it stays (sandbox/resident_message.h).
#include <string_view>

#include "launch/launcher.h"
#include "launch/probe.h"
#include "sandbox/resident_message.h"

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--probe") return cordon::launch::Probe();
  using cordon::launch::Stay;
  const bool resident = count == 2 && arguments[1] == cordon::sandbox::kResidentArgument;
  return cordon::launch::Launch(resident ? Stay::kResident : Stay::kForOneCommand);
}
