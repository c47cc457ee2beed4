// cordon-launch: started by Cordon, never by people. With --probe it tells what this machine
// can hold a command with; with --resident it stays (sandbox/resident_message.h); with --settle it
// brings a file to the disk and no more.
#include <charconv>
#include <string_view>

#include "launch/launcher.h"
#include "launch/probe.h"
#include "platform/file_io.h"
#include "sandbox/message.h"
#include "sandbox/resident_message.h"
#include "sandbox/settle.h"

int main(int count, char** arguments) {
  const std::string_view flag = count == 2 ? arguments[1] : "";
  if (flag == "--probe") return cordon::launch::Probe();
  if (flag == cordon::sandbox::kResidentArgument) return cordon::launch::LaunchResident();
  if (flag == cordon::sandbox::kSettleArgument) {
    return cordon::platform::SyncData(cordon::sandbox::kSettledDescriptor) ? 0 : 1;
  }
  unsigned long bits = 0;
  if (flag.starts_with(cordon::sandbox::kAheadFlag)) {
    const std::string_view number = flag.substr(cordon::sandbox::kAheadFlag.size());
    std::from_chars(number.data(), number.data() + number.size(), bits);
  }
  return cordon::launch::Launch(cordon::sandbox::LayerSet::OfBits(bits));
}
