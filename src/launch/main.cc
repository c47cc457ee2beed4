// cordon-launch: started by Cordon, never by people. With --probe it tells what this machine
// can hold a command with; with --resident it stays (sandbox/resident_message.h).
#include <charconv>
#include <string_view>

#include "launch/launcher.h"
#include "launch/probe.h"
#include "sandbox/message.h"
#include "sandbox/resident_message.h"

int main(int count, char** arguments) {
  const std::string_view flag = count == 2 ? arguments[1] : "";
  if (flag == "--probe") return cordon::launch::Probe();
  if (flag == cordon::sandbox::kResidentArgument) return cordon::launch::LaunchResident();
  unsigned long bits = 0;
  if (flag.starts_with(cordon::sandbox::kAheadFlag)) {
    const std::string_view number = flag.substr(cordon::sandbox::kAheadFlag.size());
    std::from_chars(number.data(), number.data() + number.size(), bits);
  }
  return cordon::launch::Launch(cordon::sandbox::LayerSet::OfBits(bits));
}
