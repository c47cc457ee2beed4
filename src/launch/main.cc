// cordon-launch: started by Cordon, never by people. With --probe it tells what this machine
// can hold a command with.
#include <string_view>

#include "launch/launcher.h"
#include "launch/probe.h"

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--probe") return cordon::launch::Probe();
  return cordon::launch::Launch();
}
