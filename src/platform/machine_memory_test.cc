#include "platform/machine_memory.h"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>

namespace cordon::platform {
namespace {

TEST(MachineMemory, IsSomeOfWhatTheMachineHas) {
  struct sysinfo machine {};
  ASSERT_EQ(::sysinfo(&machine), 0);
  const auto available = AvailableMemory();
  ASSERT_TRUE(available);
  EXPECT_GT(*available, 1u << 20);
  EXPECT_LE(*available, std::uint64_t{machine.totalram} * machine.mem_unit);
}

}  // namespace
}  // namespace cordon::platform
